import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { git as run, makeRepository } from '../support/repository.ts'
import { cloneInto } from './clone.ts'
import type { PublicRepository } from './public-repository.ts'

let folder: string
let source: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-clones-'))
  source = makeRepository(join(folder, 'somebody', 'thing'), { 'large.bin': 'of the past', 'kept.txt': 'kept' })
  run(source, 'rm', '--quiet', 'large.bin')
  run(source, 'commit', '--quiet', '-m', 'Without it')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const clone = async (): Promise<string> => {
  const commit = run(source, 'rev-parse', 'HEAD')
  const into = join(folder, 'clone')
  mkdirSync(into)
  const repository = { name: 'somebody/thing', commit } as PublicRepository
  await cloneInto(into, repository, folder)
  return into
}

test('a clone has the whole history, and nothing to push to', async () => {
  const into = await clone()
  expect(run(into, 'log', '--format=%s').split('\n')).toEqual(['Without it', 'Start'])
  expect(run(into, 'remote')).toBe('')
})

test('a clone that lacks files of the past has its commit alone, and can be cloned', async () => {
  const blob = run(source, 'rev-parse', 'HEAD~1:large.bin')
  rmSync(join(source, '.git', 'objects', blob.slice(0, 2), blob.slice(2)))
  const into = await clone()
  expect(readdirSync(into).sort()).toEqual(['.git', 'kept.txt'])
  run(folder, 'clone', '--quiet', into, 'again')
  expect(run(join(folder, 'again'), 'log', '--format=%s')).toMatch(/^The files of [0-9a-f]{40}$/)
})

test('a file that even the newest commit lacks is left out', async () => {
  writeFileSync(join(source, 'lost.bin'), 'large')
  run(source, 'add', '--all')
  run(source, 'commit', '--quiet', '-m', 'A large file')
  const blob = run(source, 'rev-parse', 'HEAD:lost.bin')
  rmSync(join(source, '.git', 'objects', blob.slice(0, 2), blob.slice(2)))
  expect(readdirSync(await clone()).sort()).toEqual(['.git', 'kept.txt'])
})
