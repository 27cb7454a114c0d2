import { beforeEach, expect, test } from 'vitest'
import { branch, startKit, type Kit } from '../testing/session-kit.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

test('checks run with some files from another commit, and without later ones', async () => {
  const next = await kit.hub.commit(branch, {
    'README.md': 'changed\n',
    'new.test.js': '',
    '*.js': '',
    'left.js': 'left',
  })
  await kit.run(
    {
      kind: 'verify',
      steps: [{ type: 'test', name: 'test', command: 'cat README.md left.js; ls', timeoutMs: 60_000 }],
      tests: {
        commit: kit.base,
        paths: ['README.md'],
        without: ['new.test.js', '*.js'],
        texts: [{ path: 'left.js', text: 'put\n' }],
      },
    },
    { commit: next },
  )
  expect(kit.record.text('output')).toBe('hello\nput\nREADME.md\nleft.js\n')
})
