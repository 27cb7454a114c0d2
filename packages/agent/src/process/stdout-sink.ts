import { write } from 'node:fs'
import { Writable } from 'node:stream'

/** Lines wait here while the reader of stdout is slow; when it is full, writers of events wait too. */
const QUEUE_BYTES = 256 * 1024

/**
 * A file descriptor as a stream whose writes happen on another thread. `process.stdout` writes to files and pipes
 * synchronously: a disk that pauses would then stop our timers and our SIGTERM handler as well.
 */
export function openSink(descriptor: number): Writable {
  return new Writable({
    highWaterMark: QUEUE_BYTES,
    decodeStrings: true,
    write: (chunk: Buffer, _encoding, done) => writeAll(descriptor, chunk, done),
    writev: (chunks, done) => writeAll(descriptor, Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)), done),
  })
}

function writeAll(descriptor: number, bytes: Buffer, done: (error?: Error | null) => void): void {
  write(descriptor, bytes, (error, written) => {
    // Something made the pipe non-blocking, and it is full.
    if (error?.code === 'EAGAIN') return void setTimeout(writeAll, 5, descriptor, bytes, done)
    if (error) return done(error)
    if (written < bytes.length) return writeAll(descriptor, bytes.subarray(written), done)
    done()
  })
}
