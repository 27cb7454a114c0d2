// @suite fuzz
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dearnessOf, TESTS_DEARNESS, VERDICT_DEARNESS } from '@beadloom/server/src/aside/bounds.ts'
import { cpuMs } from '../bench/support/cpu-time.ts'
import type { Found } from './hunt.ts'
import { parsers } from './parsers.ts'

/** `FUZZ_SEED`: another seed searches elsewhere. `FUZZ_MS`: milliseconds of processor time for each parser. */
const { FUZZ_SEED: seed = '1', FUZZ_MS: ms = '3000' } = process.env
/** More than in growth.test.ts: some texts are so cheap that memory and clock are half of the measured time. */
const TOO_MUCH = 2.6
/**
 * After this a reading counts as endless. It is processor time: a hunt that waits for a busy processor is not stuck.
 */
const STUCK_MS = 60_000 + 10 * Number(ms)
const LOOK_MS = 1_000
/** The most work for a text that is read in a thread aside: past this the server leaves even an honest text unread. */
const MOST_MS_PER_MIB = 1_000

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'beadloom-fuzz-'))
})
/** The worst result of each parser: milliseconds per MiB, and the growth of its work. */
const table: string[] = []
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  process.stdout.write(`${table.join('\n')}\n`)
})

test.each(Object.keys(parsers))('no text is found that makes %s slow', async (name) => {
  const tried = join(folder, `${name}.json`)
  const output = await hunt(name, tried)
  if (output === null) throw new Error(`seed ${seed}: this is never read: ${readFileSync(tried, 'utf8')}`)
  const { found } = JSON.parse(output) as { found: Found[] }
  const [dearest, growth] = [Math.max(...found.map((one) => one.msPerMiB)), Math.max(...found.map((one) => one.growth))]
  table.push(`${name}: ${dearest.toFixed(0)} ms/MiB, ${growth.toFixed(2)} times for twice the text`)
  const slow = found.filter((one) => one.growth > TOO_MUCH || one.msPerMiB > MOST_MS_PER_MIB * dearer(name))
  // To mend: add each to `worst/`, and mend the parser.
  expect(
    slow.map((one) => JSON.stringify(one)),
    `seed ${seed}`,
  ).toEqual([])
})

/**
 * The server's own allowance. It refuses a text that is too expensive to search for secrets, and a person may allow it:
 * in no honest text does every rule look at every line.
 */
function dearer(name: string): number {
  if (name === 'secrets' || name === 'masked') return Infinity
  if (name.startsWith('verdict-')) return VERDICT_DEARNESS
  return name.startsWith('tests-') ? TESTS_DEARNESS : dearnessOf(name)
}

/** Runs a hunt. Resolves to its output; null: it had to be killed. */
function hunt(name: string, tried: string): Promise<string | null> {
  const args = [join(import.meta.dirname, 'hunt.ts'), name, seed, ms, tried]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (bytes) => (output += String(bytes)))
  const watch = setInterval(() => {
    if (cpuMsOf(child.pid) > STUCK_MS) child.kill('SIGKILL')
  }, LOOK_MS)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => {
      clearInterval(watch)
      if (code === 0 || code === null) resolve(code === 0 ? output : null)
      else reject(new Error(`the hunt of ${name} ended with ${code}`))
    })
  })
}

/** 0 if the system does not tell: then the test's own limit ends it. */
function cpuMsOf(pid: number | undefined): number {
  try {
    return cpuMs(pid ?? 0)
  } catch {
    return 0
  }
}
