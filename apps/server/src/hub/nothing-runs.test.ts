import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kit, startKit } from './hub-kit.ts'
import { snapped, wholeLife } from './whole-life-kit.ts'

/* A repository whose hooks and settings name programs; none of them runs on the server's host. */

let kit: Kit
let source: string
beforeEach(async () => {
  kit = await startKit()
  source = await kit.source('lib', { 'a.txt': 'a\n' })
})
afterEach(() => kit.close())

const hooks = [
  'pre-receive',
  'update',
  'post-receive',
  'post-update',
  'reference-transaction',
  'proc-receive',
  'push-to-checkout',
  'pre-push',
  'pre-auto-gc',
  'post-checkout',
  'post-merge',
  'post-index-change',
  'fsmonitor-watchman',
]

async function arm(folder: string): Promise<void> {
  for (const hook of hooks) {
    const { program } = await kit.marker(`hook-${hook}`)
    const text = `#!/bin/sh\nexec '${program}'\n`
    await mkdir(join(folder, 'hooks'), { recursive: true })
    await writeFile(join(folder, 'hooks', hook), text)
    await chmod(join(folder, 'hooks', hook), 0o755)
  }
}

test('hooks of the repository do not run, wherever it keeps them', async () => {
  const gitDir = join(source, '.git')
  await arm(gitDir)
  await wholeLife(kit, source)
  expect(await snapped(kit)).toEqual([])
})

test('hooks behind core.hooksPath do not run', async () => {
  const elsewhere = join(kit.root, 'elsewhere')
  await arm(elsewhere)
  await kit.git(source, 'config', 'core.hooksPath', join(elsewhere, 'hooks'))
  await wholeLife(kit, source)
  expect(await snapped(kit)).toEqual([])
})

test('no program of the repository’s configuration runs, not even from an included file', async () => {
  const keys = [
    'core.fsmonitor',
    'core.sshCommand',
    'core.gitProxy',
    'core.askPass',
    'core.editor',
    'core.pager',
    'core.alternateRefsCommand',
    'uploadpack.packObjectsHook',
    'diff.external',
    'diff.evil.textconv',
    'diff.evil.command',
    'filter.evil.clean',
    'filter.evil.smudge',
    'filter.evil.process',
    'merge.evil.driver',
    'gpg.program',
    'credential.helper',
    'tar.tar.command',
    'alias.upload-pack',
    'alias.receive-pack',
  ]
  const included = join(source, '.git', 'included')
  for (const key of keys) {
    const { program } = await kit.marker(key.replaceAll('.', '-'))
    const value = key.startsWith('alias.') || key === 'credential.helper' ? `!${program}` : program
    await kit.git(source, 'config', '--file', included, key, value)
  }
  await kit.commit(source, { '.gitattributes': '* filter=evil diff=evil merge=evil\n' })
  await kit.git(source, 'config', 'include.path', 'included')
  const alternate = join(kit.root, 'alternate.git')
  await kit.git(kit.root, 'init', '-q', '--bare', alternate)
  await writeFile(join(source, '.git', 'objects', 'info', 'alternates'), `${alternate}/objects\n`)
  await wholeLife(kit, source)
  expect(await snapped(kit)).toEqual([])
})
