import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writes } from '../../ports/store/patient.ts'
import { systemClock } from '../../process/clock.ts'
import { openTestStore } from '../testing.ts'

test('every method of the store that writes is one that may wait, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bl-patient-'))
  const { patient: _, ...store } = openTestStore(join(folder, 'beadloom.db'), {
    clock: systemClock,
    random: () => 0,
  })
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true })
  })
  // `changing` of the containers writes, too.
  const writing = Object.entries(store).filter(([, method]) => /\b(?:write|changing)\(/.test(String(method)))
  expect(writing.map(([name]) => name).toSorted()).toEqual([...writes].toSorted())
})
