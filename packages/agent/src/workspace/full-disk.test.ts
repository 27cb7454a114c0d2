// @suite unit-long
import { execFileSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { gitFailure } from './git.ts'
import { branch, startKit, workBy, type Kit } from '../testing/session-kit.ts'

/* A workspace on its own disk of two megabytes, which the agent fills. */
async function onSmallDisk(): Promise<Kit> {
  const kit = await startKit()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', kit.workspace])
  onTestFinished(() => void execFileSync('umount', ['--lazy', kit.workspace]))
  return kit
}
const FILL = 'dd if=/dev/zero of=big bs=1k 2> /dev/null; dd if=/dev/zero of=rest bs=1 2> /dev/null'

test.runIf(process.getuid?.() === 0).each([
  ['ended well', `${FILL}; true`],
  ['failed', `${FILL}; exit 3`],
  ['committed before', `echo new > new.txt; git add new.txt; git commit -qm mine; ${FILL}; true`],
])('the disk is full after an agent that %s: that is reported, and nobody is blamed for damage', async (_, what) => {
  const kit = await onSmallDisk()
  const result = await kit.run(workBy(what))
  expect(result).toMatchObject({ outcome: 'failed', reason: 'disk_full', dirty: true, savedRef: null })
  expect(result.text).toMatch(/the disk of the container is full/)
  expect(result.text).not.toMatch(/damaged/)
})

test.runIf(process.getuid?.() === 0)('a full disk does not prevent a push of earlier commits', async () => {
  const kit = await onSmallDisk()
  const result = await kit.run(
    workBy(`echo new > new.txt; git add new.txt; git commit -qm 'Bead bl-1: it'; git push -q; ${FILL}; true`),
  )
  expect(result).toMatchObject({ reason: 'disk_full' })
  expect(await kit.hub.files(branch)).toContain('new.txt')
})

test('a push that fails because the disk of the server is full does not blame the container', () => {
  const remote = 'remote: fatal: write error: No space left on device\n ! [remote rejected] a -> a (unpacker error)\n'
  expect(gitFailure('not pushed', remote)).toMatchObject({
    reason: 'disk_full',
    message: expect.stringMatching(/^the disk of the server is full/),
  })
  expect(gitFailure('not added', 'fatal: No space left on device').message).toMatch(
    /^the disk of the container is full/,
  )
})
