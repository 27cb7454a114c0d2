// @suite unit-long

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../process/clock.ts'
import { rewriteIssues as rewrite } from './issues-file.ts'
import type { Clock } from '../../process/clock.ts'
import { asText } from '../testing/as-text.ts'
import { file, line, TrackerFolder } from '../testing/tracker-folder.ts'

const made: TrackerFolder[] = []
const folder = (text: string | null): TrackerFolder => {
  const one = new TrackerFolder(text)
  made.push(one)
  return one
}
afterEach(() => made.splice(0).forEach((one) => one.remove()))

/** Replaces the whole text. */
const rewriteIssues = (path: string, clock: Clock, edit: (text: string) => string | Promise<string>) =>
  rewrite({ folder: path }, clock, asText(edit))
const names = (at: TrackerFolder) => readdirSync(join(at.path, '.beads')).toSorted()

test('a writer that is killed at any moment leaves the old file or the new one (crash)', async () => {
  const before = file(...Array.from({ length: 3000 }, (_, at) => line(`a-${at}`)))
  const after = `${before}${line('z-1')}\n`
  const at = folder(before)
  const program = `
    import { rewriteIssues } from ${JSON.stringify(join(import.meta.dirname, 'issues-file.ts'))}
    import { asText } from ${JSON.stringify(join(import.meta.dirname, '../testing/as-text.ts'))}
    import { systemClock } from ${JSON.stringify(join(import.meta.dirname, '../../process/clock.ts'))}
    const extra = process.argv[2]
    console.log('begin')
    for (;;) await rewriteIssues({ folder: process.argv[1] }, systemClock, asText((text) => text.endsWith(extra) ? text.slice(0, -extra.length) : text + extra))`
  for (let kill = 0; kill < 6; kill += 1) {
    const args = ['--input-type=module', '-e', program, at.path, `${line('z-1')}\n`]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    for (let turn = 0; turn < 200 * (kill + 1); turn += 1) await new Promise(setImmediate)
    child.kill('SIGKILL')
    await once(child, 'close')
    expect([before, after]).toContain(at.text)
  }
  // The leftovers of killed writers, even a lock, block nobody.
  await rewriteIssues(at.path, systemClock, () => before)
  expect(at.text).toBe(before)
  await rewriteIssues(at.path, systemClock, () => after)
  expect(names(at)).toEqual(['issues.jsonl'])
})
