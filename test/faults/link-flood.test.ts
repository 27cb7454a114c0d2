import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { OutputReader } from '@beadloom/core/supervisor/output-record.ts'
import { parseNote } from '@beadloom/core/supervisor/session-note.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DockerWorld, dockerIsHere } from '../../apps/server/src/container/testing/docker-world.ts'
import { sized } from '../crash/size.ts'
import { tally } from '../crash/tally.ts'
import { carriers, type CarrierKind } from '../support/carriers.ts'
import { SessionRecord, SupervisedServer } from '../support/link/supervised-server.ts'

/* More output than a record keeps goes through the link of a real container, beside fifty requests at once. */

const here = await dockerIsHere(process.env)
/** 22 MB and 660 MB of numbers. */
const LINES = sized(3_000_000, 75_000_000)
const STREAMS = 50
const ROUNDS = sized(4, 40)
const ANSWER = 'x'.repeat(20_000)
const BUNDLES = join(import.meta.dirname, '..', '..', 'packages', 'agent', 'dist', 'supervisor')

/** Sends many requests at once, again and again; its last line says how many got a complete answer. */
const ASK = `
const { get, Agent } = require('node:http')
const agent = new Agent({ keepAlive: true, maxSockets: ${STREAMS} })
const once = () => new Promise((resolve) => {
  get({ port: 4610, agent }, (response) => {
    let bytes = 0
    response.on('data', (part) => (bytes += part.length))
    response.on('end', () => resolve(bytes)).on('error', () => resolve(-1))
  }).on('error', () => resolve(-1))
})
const all = async () => {
  let whole = 0
  for (let round = 0; round < ${ROUNDS}; round++)
    for (const bytes of await Promise.all(Array.from({ length: ${STREAMS} }, once))) if (bytes === ${ANSWER.length}) whole++
  console.error(whole + ' whole')
}
all().then(() => process.exit(0))`

/** Keeps a hash of standard output instead of the bytes. */
class HashedRecord extends SessionRecord {
  stderr = ''
  bytes = 0
  override readonly reader = new OutputReader(0)
  readonly #hash = createHash('sha256')

  override take(bytes: Uint8Array): void {
    for (const record of this.reader.take(bytes)) {
      if (record.kind === 'stdout') {
        this.#hash.update(record.bytes)
        this.bytes += record.bytes.length
      } else if (record.kind === 'stderr') this.stderr += Buffer.from(record.bytes).toString()
      else {
        const note = parseNote(Buffer.from(record.bytes).toString())
        if (note?.note === 'ended') this.end = note.end
      }
    }
  }

  get hash(): string {
    return this.#hash.digest('hex')
  }
}

describe.skipIf(!here)('a flood', () => {
  let world: DockerWorld
  let http: Server
  beforeAll(async () => {
    world = await DockerWorld.open(process.env, { supervisorFolder: BUNDLES })
    // As the link's own server. With the default of 5 s, the server might close an idle connection just as a request
    // comes.
    http = createServer({ keepAliveTimeout: 60_000 }, (_, response) => response.end(ANSWER))
  }, 600_000)
  afterAll(async () => {
    http?.closeAllConnections()
    await world?.close()
  })

  /** Starts a container whose supervisor has connected to a server of ours. */
  async function reached(carrier: CarrierKind): Promise<SupervisedServer> {
    const magic = randomBytes(16)
    const server = new SupervisedServer(magic, (connection) => void http.emit('connection', connection))
    onTestFinished(() => server.close())
    const folder = mkdtempSync(join(world.folder, 'flood-'))
    chmodSync(folder, 0o755)
    if (carrier === 'socket') {
      await server.listen(join(folder, 'link.sock'))
      chmodSync(join(folder, 'link.sock'), 0o666)
    }
    const linkFolder = carrier === 'socket' ? folder : null
    const spec = { linkFolder, magic: magic.toString('hex'), processes: 256 }
    const { id } = await world.create(await world.runtimeImage(), '', spec)
    await world.engine.start(id)
    for (let isTaken = carrier === 'socket'; !isTaken;) {
      const found = await world.engine.carrier(id)
      server.carry(found)
      const ended = new Promise((resolve) => found.input.once('close', resolve))
      isTaken = await Promise.race([server.link().then(() => true), ended.then(() => false)])
    }
    return server
  }

  test.each(carriers)(
    `over %s of ${LINES.toLocaleString('en-US')} lines arrives byte for byte, and ${STREAMS} streams beside it are answered whole`,
    async (carrier) => {
      const server = await reached(carrier)
      const ask = `/opt/beadloom/bin/node -e "$ASK"`
      await server.start('s-1', `seq ${LINES} & ${ask}; wait`, { ASK })
      const record = new HashedRecord()
      await server.record('s-1', record)
      tally({ fault: `a flood beside ${STREAMS} streams, over ${carrier}`, times: 1, bytes: record.bytes })
      expect(record).toMatchObject({ end: { how: 'exited', code: 0 }, gaps: [] })
      expect(record.stderr).toBe(`${STREAMS * ROUNDS} whole\n`)
      expect(record.hash).toBe(
        execFileSync('sh', ['-c', `seq ${LINES} | sha256sum`], { encoding: 'utf8' }).slice(0, 64),
      )
    },
  )
})
