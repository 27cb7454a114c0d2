import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { openTestStore, seededRandom, stepClock } from './testing.ts'

test('the commit that an image has checked out stays known when the image is used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'images-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const open = () => openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() })
  const store = open()
  const project = parseProjectId('lib')
  store.noteImages([{ name: 'one', project, checkedOut: 'c0ffee' }])
  store.noteImages([
    { name: 'one', project: null },
    { name: 'two', project },
  ])
  expect(['one', 'two', 'three'].map((name) => store.checkedOutIn(name))).toEqual(['c0ffee', null, null])
  store.close()
  const next = open()
  expect(next.checkedOutIn('one')).toBe('c0ffee')
  next.forgetImages(['one'])
  expect(next.checkedOutIn('one')).toBeNull()
  next.close()
})
