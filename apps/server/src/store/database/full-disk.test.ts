import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import { openStore } from '../open-store.ts'
import { demo, running, seededRandom, world } from '../testing.ts'

test.runIf(process.getuid?.() === 0)('a full disk is reported with the share of kept containers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bl-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder])
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  const store = openStore(join(folder, 'beadloom.db'), { clock: new HandClock(), random: seededRandom() })
  onTestFinished(() => store.close())
  world(store, ['a-1'])
  const owner = running(store, 'a-1')
  const name = 'beadloom-kept-work'
  const made = { engine: LOCAL_ENGINE, project: demo, environment: null, purpose: 'work', keepsWork: true } as const
  store.addContainer({ name, owner, ...made })
  store.keepContainer(name, 'the hub is away')
  store.noteSaveTry(name, { why: 'the hub is away', bytes: 5 * 1024 ** 3, nextTryAt: 0 })
  execFileSync('sh', ['-c', 'dd if=/dev/zero of="$0/fill" bs=1k 2> /dev/null; true', folder])
  const write = () => {
    for (let n = 0; n < 100; n++) store.addEvent(owner, null, 'long', 'x'.repeat(50_000))
  }
  expect(write).toThrow(expect.objectContaining({ kind: 'no-space' }))
  const told = /is full: free some space.*kept with unsaved work take 5 GiB: beadloom-kept-work \(5 GiB\)/
  expect(write).toThrow(told)
  expect(store.trouble()?.text).toMatch(told)
})
