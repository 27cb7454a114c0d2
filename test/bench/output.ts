import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BareDocker } from './support/bare-container.ts'
import { benchProject, PROJECT } from './support/bench-project.ts'
import { figure, type Report } from './support/figure.ts'
import { ServerProcess } from './support/server-process.ts'
import { wallClock } from './support/wall-clock.ts'

const ROUNDS = 3
const SAMPLE_MS = 200
/** Below what a session's record holds in full, with room for the event lines around it. */
const BYTES = 200_000_000
const LINE = 'a line of ordinary output that is exactly one hundred bytes long, as compilers and test runners do.'
const COMMAND = `yes '${LINE}' | head -c ${BYTES}`
/** On standard error an agent's command line prints output; on standard output it speaks, and every word has a row. */
const BEADS = {
  output: { id: 'be-output', command: `${COMMAND} >&2; exit 1` },
  words: { id: 'be-words', command: `${COMMAND}; exit 1` },
}

/** Output of a container at a WebSocket client, with everything recorded, against a bare attach to the same command. */
export async function output(asked: number | null): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'bl-bench-'))
  const server = await ServerProcess.start(folder)
  const bare = new BareDocker()
  try {
    const beads = Object.values(BEADS)
    const commands = Object.fromEntries(beads.map(({ id, command }) => [id, command]))
    await server.addProject(PROJECT, benchProject({ ...commands, 'be-warm': 'exit 1' }), [
      ...beads.map(({ id }) => ({ id, title: `Print ${id}` })),
      { id: 'be-warm', title: 'Make the image' },
    ])
    await server.ended((await server.queue(PROJECT, 'be-warm')).id)
    const image = await bare.projectImage(PROJECT)

    const [ours, words, attached]: [number[], number[], number[]] = [[], [], []]
    const [peaks, cpu, cpuOfWords]: [number[], number[], number[]] = [[], [], []]
    for (let round = 1; round <= (asked ?? ROUNDS); round++) {
      const printed = await throughTheServer(server, BEADS.output.id)
      ours.push(printed.rate)
      peaks.push(printed.rss)
      cpu.push(printed.cpuMs)
      attached.push(await throughAttach(bare, image))
      const said = await throughTheServer(server, BEADS.words.id)
      words.push(said.rate)
      cpuOfWords.push(said.cpuMs)
    }
    const baseline = { what: 'bare attach', figure: figure('MB/s', attached) }
    return {
      rows: [
        {
          bench: 'output',
          what: 'container output → WebSocket client, stored',
          ours: figure('MB/s', ours),
          baseline,
          aim: { of: 'ratio', at: 'least', value: 1 },
        },
        {
          bench: 'output',
          what: "an agent's own words → WebSocket client, stored",
          ours: figure('MB/s', words),
          baseline,
          aim: null,
        },
        {
          bench: 'output',
          what: "container output: the server's processor for each million lines",
          ours: figure('ms', cpu),
          baseline: null,
          aim: null,
        },
        {
          bench: 'output',
          what: "an agent's own words: the same",
          ours: figure('ms', cpuOfWords),
          baseline: null,
          aim: null,
        },
        {
          bench: 'output',
          what: 'highest RSS of the server meanwhile',
          ours: figure('MB', peaks),
          baseline: null,
          aim: null,
        },
      ],
      parts: [],
    }
  } finally {
    await server.stop()
    await bare.removeImages(PROJECT)
  }
}

/** `cpuMs`: for a million lines, from the request until the execution is over; unlike the rate it does not depend on who else is there. */
async function throughTheServer(
  server: ServerProcess,
  bead: string,
): Promise<{ rate: number; rss: number; cpuMs: number }> {
  const before = server.cpuMs()
  const meter = new Meter()
  let rss = 0
  const { id } = await server.queue(PROJECT, bead)
  const client = await server.follow(await server.workSession(id), ({ text }) => {
    // What git says of the checkout comes before the output and is none of it.
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

/** From the first byte to the one that completes `BYTES`. */
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
