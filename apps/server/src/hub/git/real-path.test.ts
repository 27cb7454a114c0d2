import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { projectId, startKit } from '../hub-kit.ts'

test('a path is followed through symbolic links within the commit, and never out of it', async () => {
  const kit = await startKit()
  onTestFinished(() => kit.close())
  const odd = 'odd "name"\twith ü.txt'
  const source = await kit.source('lib', { 'src/a.ts': 'a\n', [odd]: 'odd\n' })
  await symlink('/etc/passwd', join(source, 'link'))
  const links = {
    'ci/Dockerfile': '../src/a.ts',
    folder: 'src',
    again: 'folder',
    out: '../../x',
    circle: 'circle',
    through: 'src/../../lib/src',
    nowhere: 'src/none',
  }
  await mkdir(join(source, 'ci'))
  for (const [path, target] of Object.entries(links)) await symlink(target, join(source, path))
  const at = await kit.commit(source, { more: 'x' })
  await kit.hub.fetch(kit.project(source))
  const real = (path: string) => kit.hub.realPath(projectId, at, path)
  expect(await real('')).toBe('')
  expect(await real('src/a.ts')).toBe('src/a.ts')
  expect(await real('ci/Dockerfile')).toBe('src/a.ts')
  expect(await real('again/a.ts')).toBe('src/a.ts')
  expect(await real('again')).toBe('src')
  expect(await real(odd)).toBe(odd)
  for (const path of ['link', 'out', 'circle', 'through', 'nowhere', 'none', '../lib/readme.md'])
    expect(await real(path)).toBeNull()
})
