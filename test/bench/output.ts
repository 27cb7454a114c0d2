import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineByTcp } from '../support/carriers.ts'
import { BareDocker } from './support/bare-container.ts'
import { benchProject, PROJECT } from './support/bench-project.ts'
import { figure, type Figure, type Report, type Row } from './support/figure.ts'
import { ServerProcess } from './support/server-process.ts'
import { wallClock } from './support/wall-clock.ts'

const ROUNDS = 3
const SAMPLE_MS = 200
/** Less than a session's record keeps in full, with room for the event lines around it. */
const BYTES = 200_000_000
const LINE = 'a line of ordinary output that is exactly one hundred bytes long, as compilers and test runners do.'
const COMMAND = `yes '${LINE}' | head -c ${BYTES}`
/** An agent's command prints output on standard error; on standard output it speaks, and each thing said has a row. */
const BEADS = {
  output: { id: 'be-output', command: `${COMMAND} >&2; exit 1` },
  words: { id: 'be-words', command: `${COMMAND}; exit 1` },
}

type Measured = {
  ours: number[]
  attached: number[]
  peaks: number[]
  cpu: number[]
  words: number[]
  cpuOfWords: number[]
}

/** A container's output at a WebSocket client, all of it recorded, against a bare attach to the same command. */
export async function output(asked: number | null): Promise<Report> {
  const rounds = asked ?? ROUNDS
  const bySocket = await measured({}, rounds)
  const tcp = await EngineByTcp.start()
  const byExec = await measured({ DOCKER_HOST: tcp.host }, rounds).finally(() => tcp.stop())
  const bare = (what: string, { attached }: Measured) => ({ what, figure: figure('MB/s', attached) })
  const attach = bare('bare attach', bySocket)
  const bar = (value: number) => ({ of: 'ratio', at: 'least', value }) as const
  const row = (what: string, ours: Figure, baseline: Row['baseline'] = null, aim: Row['aim'] = null): Row => ({
    bench: 'output',
    what,
    ours,
    baseline,
    aim,
  })
  const rate = (values: number[]) => figure('MB/s', values)
  return {
    rows: [
      row('container output → WebSocket client, stored', rate(bySocket.ours), attach, bar(1)),
      row("the same over the engine's exec, by TCP", rate(byExec.ours), bare('bare attach by TCP', byExec), bar(0.7)),
      row("an agent's own words → WebSocket client, stored", rate(bySocket.words), attach),
      row("container output: the server's processor for each million lines", figure('ms', bySocket.cpu)),
      row("the same over the engine's exec", figure('ms', byExec.cpu)),
      row("an agent's own words: the same", figure('ms', bySocket.cpuOfWords)),
      row('highest RSS of the server meanwhile', figure('MB', [...bySocket.peaks, ...byExec.peaks])),
    ],
    parts: [],
  }
}

/** Measures a new server and a bare attach, with the engine that `env` names. */
async function measured(env: NodeJS.ProcessEnv, rounds: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'bl-bench-'))
  const server = await ServerProcess.start(folder, env)
  const bare = new BareDocker({ ...process.env, ...env })
  const isUsual = env['DOCKER_HOST'] === undefined
  const all: Measured = { ours: [], attached: [], peaks: [], cpu: [], words: [], cpuOfWords: [] }
  try {
    const beads = Object.values(BEADS)
    const commands = Object.fromEntries(beads.map(({ id, command }) => [id, command]))
    await server.addProject(PROJECT, benchProject({ ...commands, 'be-warm': 'exit 1' }), [
      ...beads.map(({ id }) => ({ id, title: `Print ${id}` })),
      { id: 'be-warm', title: 'Make the image' },
    ])
    await server.ended((await server.queue(PROJECT, 'be-warm')).id)
    const image = await bare.projectImage(PROJECT)
    for (let round = 1; round <= rounds; round++) {
      const printed = await throughTheServer(server, BEADS.output.id)
      all.ours.push(printed.rate)
      all.peaks.push(printed.rss)
      all.cpu.push(printed.cpuMs)
      all.attached.push(await throughAttach(bare, image))
      if (!isUsual) continue
      const said = await throughTheServer(server, BEADS.words.id)
      all.words.push(said.rate)
      all.cpuOfWords.push(said.cpuMs)
    }
    return all
  } finally {
    await server.stop()
    await bare.removeImages(PROJECT)
  }
}

/**
 * `cpuMs`: for a million lines, from the request to the end of the execution. Unlike the rate it does not depend on
 * other load.
 */
async function throughTheServer(
  server: ServerProcess,
  bead: string,
): Promise<{ rate: number; rss: number; cpuMs: number }> {
  const before = server.cpuMs()
  const meter = new Meter()
  let rss = 0
  const { id } = await server.queue(PROJECT, bead)
  const client = await server.follow(await server.workSession(id), ({ text }) => {
    // Git's messages about the checkout come before the output and do not count.
    const isOutput = meter.begun || Buffer.from(text.buffer, text.byteOffset, text.byteLength).includes(LINE)
    if (isOutput) meter.count(text.byteLength)
  })
  const watch = setInterval(() => (rss = Math.max(rss, server.rss())), SAMPLE_MS)
  await client.ended.finally(() => clearInterval(watch))
  client.close()
  await server.over(id)
  return { rate: meter.rate(), rss, cpuMs: (server.cpuMs() - before) / (BYTES / (LINE.length + 1) / 1e6) }
}

async function throughAttach(bare: BareDocker, image: string): Promise<number> {
  const meter = new Meter()
  await bare.run(image, ['/bin/sh', '-c', COMMAND], (chunk) => meter.count(chunk.length))
  return meter.rate()
}

/** Measures from the first byte to the one that completes `BYTES`. */
class Meter {
  #bytes = 0
  #from = 0
  #to = 0

  get begun(): boolean {
    return this.#from > 0
  }

  count(bytes: number): void {
    this.#from ||= wallClock()
    if (this.#bytes < BYTES) this.#to = wallClock()
    this.#bytes += bytes
  }

  /** In millions of bytes a second. */
  rate(): number {
    if (this.#bytes < BYTES) throw new Error(`only ${this.#bytes} of ${BYTES} bytes arrived`)
    return BYTES / 1e6 / ((this.#to - this.#from) / 1e3)
  }
}
