// The phone's own store: a cache of what the server knows, and what waits to be sent. It may vanish; only the outbox
// would be missed.

/** @typedef {"outbox" | "cache" | "drafts" | "contacts" | "settings"} StoreName */

const version = 1;
/** A store that does not open by then is done without: browsers have been seen to hang here. */
const patience = 4000;
/** @type {Promise<IDBDatabase> | null} */
let opened = null;

const late = () => new DOMException("The phone's store does not answer.", "TimeoutError");

/** @returns {Promise<IDBDatabase>} */
function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("switchboard", version);
    // Whoever asks from then on is refused at once, until it opens after all.
    const timer = setTimeout(() => reject(late()), patience);
    request.onupgradeneeded = () => {
      const database = request.result;
      // The order of sending is the key's own sequence: random keys once sent texts in reverse.
      database.createObjectStore("outbox", { keyPath: "seq", autoIncrement: true });
      database.createObjectStore("contacts", { keyPath: "id", autoIncrement: true });
      for (const name of ["cache", "drafts", "settings"]) database.createObjectStore(name);
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      const database = request.result;
      const forget = () => {
        opened = null;
      };
      database.onversionchange = () => {
        database.close();
        forget();
      };
      database.onclose = forget;
      // Also where it comes late.
      opened = Promise.resolve(database);
      resolve(database);
    };
    request.onerror = () => {
      clearTimeout(timer);
      opened = null;
      reject(request.error);
    };
  });
  return opened;
}

/**
 * @template T
 * @param {StoreName} store
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} body
 * @returns {Promise<T>} when it is on disk
 */
async function run(store, mode, body) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, mode, { durability: mode === "readwrite" ? "strict" : "default" });
    const request = body(transaction.objectStore(store));
    // Reading is for showing things sooner. A writing is never given up: nobody could say whether it is kept.
    const timer = mode === "readonly" ? setTimeout(() => reject(late()), patience) : undefined;
    transaction.oncomplete = () => {
      clearTimeout(timer);
      resolve(request.result);
    };
    transaction.onabort = () => {
      clearTimeout(timer);
      reject(transaction.error ?? request.error);
    };
  });
}

export const db = {
  /** @param {StoreName} store @param {IDBValidKey} key @returns {Promise<any>} undefined where there is none */
  get: (store, key) => run(store, "readonly", (it) => it.get(key)),
  /** @param {StoreName} store @returns {Promise<any[]>} in the order of their keys */
  all: (store) => run(store, "readonly", (it) => it.getAll()),
  /** @param {StoreName} store @returns {Promise<IDBValidKey[]>} */
  keys: (store) => run(store, "readonly", (it) => it.getAllKeys()),
  /** @param {StoreName} store @param {any} value @param {IDBValidKey} [key] @returns {Promise<IDBValidKey>} */
  put: (store, value, key) => run(store, "readwrite", (it) => it.put(value, key)),
  /** @param {StoreName} store @param {IDBValidKey} key @returns {Promise<undefined>} */
  delete: (store, key) => run(store, "readwrite", (it) => it.delete(key)),
  /** Everything of this person goes: signing out leaves nothing. */
  async clear() {
    const database = await open();
    database.close();
    opened = null;
    await new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase("switchboard");
      request.onsuccess = resolve;
      request.onblocked = resolve;
      request.onerror = () => reject(request.error);
    });
  },
};
