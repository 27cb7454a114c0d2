import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { World } from '../support/world.ts'
import { benchesOf, type Full } from './benches.ts'
import { readOptions, usage, type Options } from './options.ts'
import { pageOf } from './page.ts'
import { open, type Verdict } from './play.ts'
import { addResult, isRight, isVerdict, readResults, writeResults, type Result } from './results.ts'
import { runBench, type Running } from './run-bench.ts'
import { summaryOf } from './summary.ts'

/*
 * Verdicts on work that is known to be right or wrong. Nothing here fails: a false verdict becomes a line of the page.
 */

const root = join(import.meta.dirname, '..', '..')
/** So many trials on one repository, then the next: an interrupted run has tried each repository. */
const PORTION = 12
const say = (text: string): void => console.error(text)

function optionsOrExit(): Options {
  try {
    return readOptions(process.argv.slice(2), process.env)
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${usage}`)
    process.exit(2)
  }
}

async function main({ state, results: file, write, json, minutes, slots, again, ...chosen }: Options): Promise<void> {
  mkdirSync(join(state, 'remotes'), { recursive: true })
  const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  let left = 0
  if (!write) {
    const known = again ? new Map<string, Result>() : readResults(file)
    const benches = benchesOf({ state, ...chosen }, known, commit)
    const end = minutes === null ? Infinity : Date.now() + minutes * 60_000
    const goesOn = (): boolean => !stopped && Date.now() < end
    left = await tryAll(state, benches, { slots, commit, goesOn, file })
  }
  const results = [...readResults(file).values()]
  const { page, summary } = pageOf(results)
  if (write) {
    writeResults(file, results)
    writeFileSync(join(root, 'docs', 'verdicts.md'), page)
  }
  const ofSets = results.filter(({ set }) => chosen.sets.includes(set))
  console.log(json ? JSON.stringify(summaryOf(ofSets, left), null, 2) : summary)
}

async function tryAll(
  state: string,
  benches: readonly Full[],
  { file, slots, ...rest }: Pick<Running, 'commit' | 'goesOn'> & { slots: number; file: string },
): Promise<number> {
  let left = benches.reduce((sum, { trials }) => sum + trials.length, 0)
  say(`${left} to try`)
  if (left === 0) return 0
  const world = await World.start({ data: join(state, 'data'), flags: { slots: String(slots) } })
  const done = ({ result, execution, seconds }: Verdict) => {
    addResult(file, result)
    appendFileSync(join(state, 'executions.jsonl'), `${JSON.stringify({ id: result.id, seconds, execution })}\n`)
    left -= 1
    const mark = !isVerdict(result) ? '??' : isRight(result) ? 'ok' : 'FALSE'
    const said = execution.verifications.at(-1)?.summary ?? execution.detail ?? ''
    say(`${String(left).padStart(5)} left  ${mark}  ${seconds} s  ${result.id}  ${result.state} ${said}`.slice(0, 220))
  }
  const running: Running = { world, ...rest, done, say }
  const waiting = benches.map((bench) => ({ bench, trials: bench.trials, isOpen: false }))
  // Each worker has its own repository: two on one would have to merge each other's passing work.
  const worker = async () => {
    for (let next = waiting.shift(); next && rest.goesOn(); next = waiting.shift()) {
      const { bench, trials, isOpen } = next
      if (!isOpen && !(await opened(running, bench))) continue
      await runBench(running, bench, trials.slice(0, PORTION))
      if (trials.length > PORTION) waiting.push({ bench, trials: trials.slice(PORTION), isOpen: true })
    }
  }
  try {
    await Promise.all(Array.from({ length: slots }, worker))
  } finally {
    await world.stop()
  }
  return left
}

async function opened({ world, say }: Running, bench: Full): Promise<boolean> {
  say(`── ${bench.id}: ${bench.trials.length} ──`)
  try {
    await open(world, bench, say)
    return true
  } catch (error) {
    say(`${bench.id}: ${messageOf(error)}`)
    return false
  }
}

let stopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stopped = true
    say(`${signal}: what is being tried is tried to its end. Once more ends it now; the next run goes on either way.`)
  })

const options = optionsOrExit()
if (options.help) console.log(usage)
else await main(options)
