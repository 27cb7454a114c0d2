/*
 * Loaded before the server (`--import`), only in the benchmark of the start: notes when the server calls its engine,
 * for the table's parts. The server does not know of it.
 */
import { appendFileSync } from 'node:fs'
import { wallClock } from './wall-clock.ts'

export type Span = { call: string; from: number; to: number }

const file = process.env['BEADLOOM_BENCH_TRACE']
const calls = ['runtimeImage', 'findImage', 'create', 'start'] as const
type Call = (this: unknown, ...args: unknown[]) => Promise<unknown>

if (file && process.argv[1]?.endsWith('main.ts')) {
  const { DockerContainers } = await import('@beadloom/server/src/container/docker-containers.ts')
  const methods = DockerContainers.prototype as unknown as Record<string, Call>
  for (const call of calls) {
    const original = methods[call]
    if (!original) throw new Error(`the engine has no ${call} any more: adapt the benchmark`)
    methods[call] = async function (...args) {
      const from = wallClock()
      try {
        return await original.apply(this, args)
      } finally {
        appendFileSync(file, `${JSON.stringify({ call, from, to: wallClock() } satisfies Span)}\n`)
      }
    }
  }
}
