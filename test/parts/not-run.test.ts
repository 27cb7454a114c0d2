import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/* `npm test` reports tests that could not run. Its scripts work in any Node, so one of them runs here. */

const scripts = join(import.meta.dirname, '..', '..', 'scripts')
/** Returns what the script prints for people and, on the last line, for programs. */
function inNode(text: string, env: NodeJS.ProcessEnv = {}): string {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', text], {
    cwd: scripts,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  return `${stderr}${stdout}`
}

const reported = (...results: object[]): string =>
  inNode(`import { report } from '${scripts}/report.mjs'; report(${JSON.stringify(results)}, (name) => name)`)
const suite = { name: 'kubernetes', passed: 90, failed: 0, skipped: 0, seconds: 60 }

test('the end of the output counts what was not run, and says what was missing', () => {
  const said = reported({ ...suite, skipped: 6, lacking: ['kueue', 'helm'] }, { ...suite, name: 'unit', lacking: [] })
  expect(said).toContain('Not run: 6 of kubernetes (there is no kueue, no helm)\n')
  expect(said).not.toContain('of unit')
  expect(said.trimEnd().split('\n').at(-1)).toBe('180 passed, 0 failed')
  expect(reported({ ...suite, skipped: 2, lacking: [] })).toContain('Not run: 2 of kubernetes (its output says why)')
  expect(reported(suite)).not.toContain('Not run')
})

test('an unavailable tool is named: helm, where Go is not installed', () => {
  const cache = mkdtempSync(join(tmpdir(), 'bl-cache-'))
  const asked = `const { prepare } = await import('${scripts}/preparation.mjs')
    console.log(JSON.stringify(await prepare(['helm'])(['helm'])))`
  try {
    const said = inNode(asked, { XDG_CACHE_HOME: cache, PATH: cache })
    expect(said).toContain('Go is not installed')
    expect(said.trimEnd().split('\n').at(-1)).toBe('["helm"]')
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
})

test('the suite of a cluster brings what each of its tests needs', () => {
  const needs = inNode(
    `import { suites } from '${scripts}/suites.mjs'; console.log(suites.kubernetes.needs.join(' '))`,
  ).trim()
  expect(needs.split(' ')).toEqual(expect.arrayContaining(['kubernetes', 'kueue', 'helm']))
})
