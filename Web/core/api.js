import { Signal } from "./signal.js";

/** An answer of the server that is no success, or none at all. */
export class ApiError extends Error {
  /** @param {{status: number, code: string, message: string, detail?: string | null, retryAfter?: number | null, id?: string | null}} what */
  constructor({ status, code, message, detail = null, retryAfter = null, id = null }) {
    super(message);
    /** 0 where the server was not reached. */
    this.status = status;
    /** The stable code of the server's table of errors; `network` where it was not reached. */
    this.code = code;
    this.detail = detail;
    /** Seconds. */
    this.retryAfter = retryAfter;
    /** The request's id in the server's log. */
    this.id = id;
  }

  get isNetwork() {
    return this.status === 0;
  }

  /** Whether the same request may succeed later. */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

const timeLimit = 20_000;
const pauses = [400, 1500];

/** Told when the server no longer knows the session. */
export const signedOut = new Signal(0);
/** Whether the server answered the last time it was asked. */
export const reached = new Signal(true);

/**
 * @param {string} method
 * @param {string} path under /api/v1
 * @param {{body?: unknown, key?: string, signal?: AbortSignal, patient?: boolean}} [options] `key` makes a repetition
 *   harmless; `patient` false leaves repeating to the caller
 * @returns {Promise<any>} the JSON of the answer; null where it has none
 */
async function call(method, path, options = {}) {
  const { body, key, signal, patient = true } = options;
  const mayRepeat = patient && (method === "GET" || key !== undefined);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await once(method, path, body, key, signal);
    } catch (error) {
      const passing = error instanceof ApiError && error.isPassing && error.status !== 429 && error.status !== 507;
      if (!mayRepeat || !passing || attempt >= pauses.length || !navigator.onLine || signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauses[attempt]));
    }
  }
}

/** @param {string} method @param {string} path @param {unknown} body @param {string | undefined} key @param {AbortSignal | undefined} signal */
async function once(method, path, body, key, signal) {
  const headers = new Headers({ accept: "application/json" });
  if (body !== undefined) headers.set("content-type", "application/json");
  if (key) headers.set("idempotency-key", key);
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeLimit);
  const pass = () => abort.abort();
  signal?.addEventListener("abort", pass);
  /** @type {Response} */
  let response;
  let text = "";
  try {
    response = await fetch(`/api/v1${path}`, {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal: abort.signal,
      credentials: "same-origin", cache: "no-store", redirect: "error",
    });
    text = response.status === 204 ? "" : await response.text();
  } catch {
    if (signal?.aborted) throw new DOMException("given up", "AbortError");
    reached.value = false;
    throw new ApiError({ status: 0, code: "network", message: "The server could not be reached." });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", pass);
  }
  reached.value = response.status < 502;
  /** @type {any} */
  let json = null;
  try {
    json = text ? JSON.parse(text) : null;
  } catch {
    // A proxy's page is no answer of ours.
    json = null;
  }
  if (response.ok) return json;
  // A wrong password is no lost session.
  if (json?.error?.code === "not-signed-in" && path !== "/start") signedOut.emit(signedOut.value + 1);
  throw new ApiError({
    status: response.status,
    code: json?.error?.code ?? "unreadable",
    message: json?.error?.message ?? `The server answered ${response.status}.`,
    detail: json?.error?.detail ?? null,
    retryAfter: Number(response.headers.get("retry-after")) || null,
    id: response.headers.get("x-request-id"),
  });
}

export const api = {
  /** @param {string} path @param {{signal?: AbortSignal}} [options] */
  get: (path, options) => call("GET", path, options),
  /** @param {string} path @param {unknown} body @param {{key?: string, signal?: AbortSignal, patient?: boolean}} [options] */
  post: (path, body, options) => call("POST", path, { ...options, body }),
  /** @param {string} path @param {unknown} body */
  patch: (path, body) => call("PATCH", path, { body }),
  /** @param {string} path @param {unknown} [body] */
  delete: (path, body) => call("DELETE", path, { body }),
};
