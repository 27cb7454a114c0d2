import { expect, test } from 'vitest'
import { LogScan } from './log-scan.ts'
import type { ScanDeps } from './log-scan.ts'

/** A log of which only the lines from `held` on are in memory, and a server that has all of them. */
class Desk {
  lines: string[]
  held: number
  readonly asked: number[] = []
  readonly waiting: { ms: number; run: () => void }[] = []
  answers: 'all' | 'busy' = 'all'
  readonly scan: LogScan

  constructor(lines: string[], held: number, local: RegExp | null, linesOnly = false) {
    this.lines = lines
    this.held = held
    const deps: ScanDeps = {
      source: this.source,
      local,
      linesOnly,
      ask: (from) => this.#answer(from),
      after: (ms, run) => {
        this.waiting.push({ ms, run })
        return () => {}
      },
      onChange: () => {},
    }
    this.scan = new LogScan(deps)
  }

  get source() {
    const length = () => this.lines.length
    const line = (n: number) => (n >= this.held ? this.lines[n] : undefined)
    return {
      get lines() {
        return length()
      },
      line,
    }
  }

  /** Runs until there is nothing to do but wait for the log. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) {
      this.scan.grow()
      this.waiting.shift()?.run()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  get found(): number[] {
    return Array.from({ length: this.scan.hits.length }, (_, at) => this.scan.hits.line(at))
  }

  async #answer(from: number): Promise<Response> {
    this.asked.push(from)
    if (this.answers === 'busy') throw Object.assign(new Error('too many'), { status: 429 })
    const hits = this.lines.flatMap((line, n) =>
      n < from ? [] : [...line.matchAll(/x/g)].map((match) => `[${n},${match.index},1]\n`),
    )
    return new Response(`${hits.join('')}{"done":true,"more":false,"lines":${this.lines.length}}\n`)
  }
}
const many = (count: number, every: number) => Array.from({ length: count }, (_, n) => (n % every === 0 ? 'x' : '-'))

test('a short log that is loaded is searched here', async () => {
  const desk = new Desk(['x', '-', '\x1b[31mx\x1b[0m'], 0, /x/g)
  await desk.settle()
  expect(desk.found).toEqual([0, 2])
  expect(desk.asked).toEqual([])
  expect(desk.scan.state).toBe('done')
})

test('a long log is requested once, and later output is found here', async () => {
  const desk = new Desk(many(50_000, 10_000), 49_000, /x/g)
  await desk.settle()
  expect(desk.found).toEqual([0, 10_000, 20_000, 30_000, 40_000])
  desk.lines.push('-', 'x')
  await desk.settle()
  expect(desk.found.at(-1)).toBe(50_001)
  expect(desk.asked).toEqual([0])
})

test('lines that came and went before a search are requested, from there on', async () => {
  const desk = new Desk(many(50_000, 10_000), 49_000, /x/g)
  await desk.settle()
  desk.lines.push(...many(40_000, 10_000))
  desk.held = 89_000
  await desk.settle()
  expect(desk.asked).toEqual([0, 50_000])
  expect(desk.found).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000, 80_000])
})

test('without a pattern of our own only the server searches', async () => {
  const desk = new Desk(['x'], 0, null)
  await desk.settle()
  expect(desk.asked).toEqual([0])
  desk.lines.push('x')
  await desk.settle()
  expect(desk.found).toEqual([0, 1])
  expect(desk.asked).toEqual([0, 1])
})

test('one hit for a line is enough if lines are counted', async () => {
  const desk = new Desk(['x x x', 'x'], 0, /x/g, true)
  await desk.settle()
  expect(desk.found).toEqual([0, 1])
})

test('a server that is busy is asked again', async () => {
  const desk = new Desk(['x'], 5, /x/g)
  desk.answers = 'busy'
  await desk.settle()
  expect(desk.scan.state).toBe('searching')
  desk.answers = 'all'
  await desk.settle()
  expect(desk.found).toEqual([0])
})
