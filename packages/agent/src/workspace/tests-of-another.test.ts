import { beforeEach, expect, test } from 'vitest'
import { branch, startKit, type Kit } from '../testing/session-kit.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

test('checks run with some files as in another commit, and without those that came since', async () => {
  const next = await kit.hub.commit(branch, { 'README.md': 'changed\n', 'new.test.js': '', '*.js': '', 'left.js': '' })
  await kit.run(
    {
      kind: 'verify',
      steps: [{ type: 'test', name: 'test', command: 'cat README.md; ls', timeoutMs: 60_000 }],
      tests: { commit: kit.base, paths: ['README.md'], without: ['new.test.js', '*.js'] },
    },
    { commit: next },
  )
  expect(kit.record.text('output')).toBe('hello\nREADME.md\nleft.js\n')
})
