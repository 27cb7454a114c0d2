// @suite unit-long
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChangedFile } from '@beadloom/core/tamper/patch.ts'
import { findTampering } from '@beadloom/core/tamper/tamper.ts'
import { languages, type Edit, type Edits } from './exercise.ts'
import { isHonest } from './sabotage.ts'
import { partsOf, trialsFor } from './samples.ts'
import type { Trial } from './trials.ts'

/* The guard of tests judges each way by its text alone, without a container. */

/**
 * Only running shows these, not the text: code that ends its process, no change at all, and tests that no runner starts
 * any more.
 */
const byRunning = ({ kind, way }: Trial): boolean =>
  kind === 'nop' || kind === 'ended' || way === 'go.mod of another folder'

let folder: string
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'bl-guard-'))))
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(languages)('the guard, for sabotage in %s,', (language) => {
  const { kit, exercise } = partsOf(language)
  test('sees all that words can show, and nothing in honest work', () => {
    const wrong: string[] = []
    for (const trial of trialsFor(language)) {
      const { base, kind, way, edits } = trial
      if (typeof edits === 'function' || byRunning(trial) || (base === 'stub' && !isHonest(kind))) continue
      const solution = base === 'green' ? exercise.reference : exercise.stub
      const before: Edits = { ...exercise.files, ...kit.extra(exercise), ...solution }
      const files = changed(before, { ...before, ...edits })
      const found = findTampering({ files, collectedBefore: null, collectedAfter: null })
      if (isHonest(kind) === found.length > 0) wrong.push(`${base}: ${kind}: ${way}: ${found.join('; ')}`)
    }
    expect(wrong).toEqual([])
  })
})

function changed(before: Edits, after: Edits): ChangedFile[] {
  write('before', before)
  write('after', after)
  const how = ['--no-index', '-M', '-U25', '--text', '--src-prefix=a/', '--dst-prefix=b/']
  let text = ''
  try {
    execFileSync('git', ['diff', ...how, 'before', 'after'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    // git ends with 1 if there is a difference.
    text = String((error as { stdout: Buffer }).stdout).replaceAll(/ ([ab])\/(?:before|after)\//g, ' $1/')
  }
  const files = new Map<string, ChangedFile>()
  for (const patch of text.split(/^(?=diff --git )/m).filter((part) => part !== '')) {
    const file = fileOf(patch.replaceAll(/^(rename (?:from|to)) (?:before|after)\//gm, '$1 '))
    const other = files.get(file.path)
    // git shows a file that became a link as one deleted and one added file.
    files.set(file.path, other ? { ...file, status: 'T', patch: `${other.patch}${file.patch}` } : file)
  }
  return [...files.values()]
}

function fileOf(patch: string): ChangedFile {
  const lines = (sign: string) => patch.split('\n').filter((line) => line.startsWith(sign)).length
  const oldPath = /^rename from (.*)$/m.exec(patch)?.[1] ?? null
  const status = /^new file mode/m.test(patch) ? 'A' : /^deleted file mode/m.test(patch) ? 'D' : oldPath ? 'R' : 'M'
  const [, from = '', to = ''] = /^diff --git a\/(.*) b\/(.*)$/m.exec(patch) ?? []
  const path = status === 'D' ? from : to
  return { path, oldPath, status, patch, cut: false, added: lines('+'), removed: lines('-') }
}

function write(name: string, files: Edits): void {
  rmSync(join(folder, name), { recursive: true, force: true })
  mkdirSync(join(folder, name))
  for (const [path, edit] of Object.entries(files)) if (edit !== null) put(join(folder, name, path), edit)
}

function put(path: string, edit: Exclude<Edit, null>): void {
  mkdirSync(dirname(path), { recursive: true })
  if (typeof edit === 'string') writeFileSync(path, edit)
  else symlinkSync(edit.link, path)
}
