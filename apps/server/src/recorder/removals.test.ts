import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseExecutionId, parseProjectId, type SessionId } from '@beadloom/core/records/ids.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { finishRemovals, removeWithLogs } from './removals.ts'
import { MemoryStore } from './testing.ts'

const project = parseProjectId('p')
const gone = parseExecutionId('ex-aaaaaaaaaa')
const other = parseExecutionId('ex-bbbbbbbbbb')
const rows = new MemoryStore()
const nothing = { session: () => null }
const knows = (execution: string) => ({
  session: (id: SessionId) => (id.startsWith(execution) ? rows.session(id) : null),
})

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beadloom-removals-'))
  for (const one of [gone, other]) {
    mkdirSync(join(folder, one))
    writeFileSync(join(folder, one, '1.log'), 'a line\n')
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const never = new Promise<void>(() => {})

test('a removed project takes its logs along, and no others', async () => {
  await removeWithLogs(folder, project, [gone], async () => {
    expect(existsSync(join(folder, gone))).toBe(true)
  })
  expect(readdirSync(folder)).toEqual([other])
})

test('a project that may not be removed keeps its logs', async () => {
  const refused = removeWithLogs(folder, project, [gone], () => Promise.reject(new Error('it has work in progress')))
  await expect(refused).rejects.toThrow('it has work in progress')
  expect(readdirSync(folder)).toEqual([gone, other])
})

test('the next start removes the logs of a project that went as the server died; those of no project stay', async () => {
  void removeWithLogs(folder, project, [gone], () => never)
  await expect.poll(() => readdirSync(folder)).toContain('removing-p.json')
  await finishRemovals(folder, nothing)
  expect(readdirSync(folder)).toEqual([other])
})

test('a project that still existed as the server died keeps its logs', async () => {
  void removeWithLogs(folder, project, [gone], () => never)
  await expect.poll(() => readdirSync(folder)).toContain('removing-p.json')
  await finishRemovals(folder, knows(gone))
  expect(readdirSync(folder)).toEqual([gone, other])
})

test('a half-written list removes nothing', async () => {
  writeFileSync(join(folder, 'removing-p.json'), '["ex-aaaaaaaaaa","ex-bbb')
  await finishRemovals(folder, nothing)
  expect(readdirSync(folder)).toEqual([gone, other])
})
