import { expect, test } from 'vitest'
import type { Engines } from '../../ports/engines.ts'
import { EngineFacts } from '../engines/engine-facts.ts'
import { readiness } from './readiness.ts'

const facts = { unsettled: () => [] as string[] }

test('a server whose database can be written and whose engines are known is ready', () => {
  expect(readiness({ store: { trouble: () => null }, facts })).toEqual({ ok: true, reasons: [] })
})

test('everything missing is named', () => {
  const store = { trouble: () => ({ kind: 'no-space', since: 0, text: 'the disk is full' }) as const }
  expect(readiness({ store, facts: { unsettled: () => ['the engine local has not been looked at yet'] } })).toEqual({
    ok: false,
    reasons: ['the database cannot be written: the disk is full', 'the engine local has not been looked at yet'],
  })
})

test.each([
  [true, false, 'what an earlier server left running on local is not taken up yet'],
  [true, true, null],
  [false, false, null],
])('an engine that answers (%s) and is taken up (%s)', async (ok, recovered, why) => {
  const health = { ok, text: '', where: null, weaker: [], cpus: 0, memoryBytes: 0 }
  const engines = { names: ['local'], of: () => ({ health: async () => health }) } as unknown as Engines
  const known = new EngineFacts(engines)
  expect(known.unsettled('local')).toBe('the engine local has not been looked at yet')
  await known.look(['local'], () => {})
  if (recovered) known.recovered('local')
  expect(known.unsettled('local')).toBe(why)
})
