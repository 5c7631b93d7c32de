"""A loopback line as slow as GPRS: a delay each way, and so many bits a second each way."""

import asyncio
import threading


class _Direction:
    """One way of the line, shared by all connections: bytes follow each other at its rate and arrive after the delay."""

    def __init__(self, bits_per_second: float, delay: float):
        self.seconds_per_byte = 8 / bits_per_second
        self.delay = delay
        self.free_at = 0.0
        self.carried = 0

    def take(self, count: int, now: float) -> tuple[float, float]:
        """When the last of `count` bytes has left, and when it arrives."""
        self.free_at = max(self.free_at, now) + count * self.seconds_per_byte
        self.carried += count
        return self.free_at, self.free_at + self.delay


class SlowLine:
    """Listens at a port of its own and carries everything to `port` and back. Runs in a thread. Connecting costs nothing:
    a line to a real server adds a round trip for TCP, and one for TLS."""

    # So small that connections share the line fairly.
    CHUNK = 500

    def __init__(self, port: int, down: float = 40_000, up: float = 20_000, delay: float = 0.3):
        self.target = port
        self.delay = delay
        self.down = _Direction(down, delay)
        self.up = _Direction(up, delay)
        self.connections = 0
        self._loop = asyncio.new_event_loop()
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        started.wait()
        self.address = f"http://127.0.0.1:{self.port}"

    def _run(self, started: threading.Event):
        asyncio.set_event_loop(self._loop)

        async def listen():
            self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
            self.port = self._server.sockets[0].getsockname()[1]
            started.set()

        self._loop.run_until_complete(listen())
        self._loop.run_forever()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        self.connections += 1
        try:
            onward_reader, onward_writer = await asyncio.open_connection("127.0.0.1", self.target)
            await asyncio.gather(
                self._carry(reader, onward_writer, self.up), self._carry(onward_reader, writer, self.down))
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _carry(self, reader, writer, direction: _Direction):
        arriving: asyncio.Queue = asyncio.Queue()

        async def deliver():
            while (item := await arriving.get()) is not None:
                due, data = item
                await asyncio.sleep(max(0, due - self._loop.time()))
                writer.write(data)
                await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()

        delivering = asyncio.ensure_future(deliver())
        try:
            while data := await reader.read(self.CHUNK):
                left, due = direction.take(len(data), self._loop.time())
                arriving.put_nowait((due, data))
                await asyncio.sleep(max(0, left - self._loop.time()))
            arriving.put_nowait(None)
            await delivering
        finally:
            delivering.cancel()

    def reset(self):
        """Counts from nothing again."""
        self.down.carried = self.up.carried = self.connections = 0

    def close(self):
        async def stop():
            self._server.close()
            ending = asyncio.all_tasks() - {asyncio.current_task()}
            for task in ending:
                task.cancel()
            await asyncio.gather(*ending, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(stop(), self._loop).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
