/*
 * A supervisor for tests: a Unix socket replaces the link, with one connection for each stream. The first line of a
 * connection is `{"kind", "header"}`, and the rest belongs to the stream. The kind `spool` is read as the link reads
 * one.
 *
 *     process-one.sh node sandbox-main.ts FOLDER SOCKET SPOOL-BYTES STARTS
 */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { openSupervisor } from '../open-supervisor.ts'
import { takeOrders } from '../take-orders.ts'
import type { Supervisor } from '../supervisor.ts'

const [folder = '', socketPath = '', spoolBytes = '', starts = ''] = process.argv.slice(2)

/** Pids that an order `carrier` has named. */
const carriers: number[] = []
const supervisor = await openSupervisor({
  folder,
  starts: Number(starts),
  carriers: () => carriers,
  spoolBytes: Number(spoolBytes),
})
const take = takeOrders(supervisor)
rmSync(socketPath, { force: true })
createServer({ allowHalfOpen: true }, (socket) => void accept(socket)).listen(socketPath)

async function accept(stream: Socket): Promise<void> {
  stream.on('error', () => {})
  const { kind, header } = JSON.parse(await firstLine(stream))
  if (kind === 'carrier') {
    carriers.push(header.pid)
    return void stream.end('{}')
  }
  if (kind === 'spool') return followSpool(supervisor, header.session, header.from, stream)
  try {
    take({ kind, header, stream })
  } catch {
    stream.destroy()
  }
}

/** Sends frames of `from 8, ended 1, length 4, bytes`; receives acknowledged offsets, 8 bytes each. */
async function followSpool(from: Supervisor, session: string, offset: number, stream: Socket): Promise<void> {
  const spool = from.findSpool(session)
  if (!spool) return void stream.destroy()
  let rest = Buffer.alloc(0)
  stream.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    for (; rest.length >= 8; rest = rest.subarray(8)) spool.acknowledged(Number(rest.readBigUInt64BE()))
  })
  while (!stream.destroyed) {
    const asked = spool.read(offset, 32 * 1024)
    // Without a pause between the answer and the watch: a change in between would wake nobody.
    const piece = 'then' in asked ? await asked : asked
    if (piece.bytes.length === 0 && !piece.ended && piece.from === offset) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          unwatch()
          stream.off('close', done)
          resolve()
        }
        const unwatch = spool.watch(done)
        stream.once('close', done)
      })
      continue
    }
    const head = Buffer.alloc(13)
    head.writeBigUInt64BE(BigInt(piece.from))
    head.writeUInt8(piece.ended ? 1 : 0, 8)
    head.writeUInt32BE(piece.bytes.length, 9)
    offset = piece.from + piece.bytes.length
    if (!stream.write(Buffer.concat([head, piece.bytes])))
      await Promise.race([once(stream, 'drain'), once(stream, 'close')]).catch(() => {})
    if (piece.ended) return void stream.end()
  }
}

async function firstLine(stream: Socket): Promise<string> {
  let text = Buffer.alloc(0)
  for (;;) {
    const byte = stream.read(1) as Buffer | null
    if (byte === null) {
      await once(stream, 'readable')
      continue
    }
    if (byte[0] === 10) return text.toString()
    text = Buffer.concat([text, byte])
  }
}
