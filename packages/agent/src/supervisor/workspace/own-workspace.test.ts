import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownWorkspace } from './own-workspace.ts'
import { setAside } from './set-aside.ts'
import { removeTree } from './trees.ts'

let own: string
let folder: string
let workspace: string
const at = (path: string): string => join(workspace, path)

beforeEach(() => {
  own = fs.mkdtempSync(join(tmpdir(), 'bl-workspace-'))
  folder = join(own, 'supervisor')
  workspace = join(own, 'workspace')
  fs.mkdirSync(folder)
  fs.mkdirSync(workspace)
})
afterEach(() => removeTree(own))

function write(path: string, text = path): void {
  fs.mkdirSync(join(at(path), '..'), { recursive: true })
  fs.writeFileSync(at(path), text)
}

/** Everything below the workspace that a build tool could compare. */
function everything(): Record<string, unknown> {
  const names = fs.readdirSync(workspace, { recursive: true }) as string[]
  const facts = names.toSorted().map((name) => {
    const { mode, mtimeNs, size, nlink } = fs.lstatSync(at(name), { bigint: true })
    const isFile = fs.lstatSync(at(name)).isFile()
    const link = fs.lstatSync(at(name)).isSymbolicLink() ? fs.readlinkSync(at(name)) : null
    return [name, { mode, mtimeNs, link, ...(isFile && { size, nlink }) }] as const
  })
  return Object.fromEntries(facts)
}

test('files that were set aside come back unchanged, with times, permissions, links of both kinds and holes', async () => {
  write('src/lib/code.ts')
  write('.hidden/file')
  write('node_modules/.bin/tool', '#!/bin/sh')
  fs.chmodSync(at('node_modules/.bin/tool'), 0o755)
  fs.linkSync(at('node_modules/.bin/tool'), at('src/same'))
  fs.symlinkSync('../nowhere', at('src/dangling'))
  fs.symlinkSync('.bin', at('node_modules/bin'))
  fs.closeSync(fs.openSync(at('sparse'), 'w'))
  fs.truncateSync(at('sparse'), 64 * 1024 ** 2)
  write('go/mod/cache')
  fs.chmodSync(at('go/mod/cache'), 0o444)
  for (const path of ['src/lib/code.ts', 'src/lib', 'go/mod/cache', 'go/mod', 'go'])
    fs.utimesSync(at(path), 1_700_000_000, 1_700_000_001.25)
  for (const path of ['go/mod', 'go']) fs.chmodSync(at(path), 0o555)
  const before = everything()

  expect(await setAside(folder, workspace)).toEqual([])
  expect(fs.readdirSync(workspace)).toEqual([])
  await ownWorkspace(folder, workspace)

  expect(everything()).toEqual(before)
  expect(fs.statSync(at('src/same')).ino).toBe(fs.statSync(at('node_modules/.bin/tool')).ino)
  expect(fs.statSync(at('sparse')).blocks).toBeLessThan(100)
})

test('the repository stays where it is, and so do files that are too large or unreadable', async () => {
  write('.git/HEAD')
  write('src/one')
  for (let file = 0; file < 20; file++) write(`target/${file}`)
  write('sealed/file')
  fs.chmodSync(at('sealed/file'), 0o000)

  const left = await setAside(folder, workspace, { files: 10, bytes: 1024 ** 2 })
  expect(left.toSorted()).toEqual(['sealed', 'target'])
  expect(fs.readdirSync(workspace).toSorted()).toEqual(['.git', 'sealed', 'target'])
  await ownWorkspace(folder, workspace)
  expect(fs.readdirSync(workspace).toSorted()).toEqual(['.git', 'sealed', 'src', 'target'])
})

test('a file that was set aside twice is there once', async () => {
  write('src/one')
  await setAside(folder, workspace)
  write('later/two')
  expect(await setAside(folder, workspace)).toEqual([])
  await ownWorkspace(folder, workspace)
  expect(fs.readdirSync(workspace).toSorted()).toEqual(['later', 'src'])
})

test("a container that starts again copies nothing, and keeps its sessions' work", async () => {
  write('src/one')
  write('old/two')
  await setAside(folder, workspace)
  await ownWorkspace(folder, workspace)
  write('src/one', 'changed')
  fs.rmSync(at('old'), { recursive: true })
  expect(ownWorkspace(folder, workspace)).toBeNull()
  expect(fs.readFileSync(at('src/one'), 'utf8')).toBe('changed')
  expect(fs.readdirSync(workspace)).toEqual(['src'])
})

test('a container of an image with nothing set aside copies nothing', () => {
  expect(ownWorkspace(folder, workspace)).toBeNull()
})

test('nothing in the workspace is overwritten, even if the copy is made once more', async () => {
  write('src/one', 'of the image')
  await setAside(folder, workspace)
  await ownWorkspace(folder, workspace)
  write('src/one', 'of a session')
  fs.chmodSync(join(folder, 'workspace'), 0o700)
  await ownWorkspace(folder, workspace)
  expect(fs.readFileSync(at('src/one'), 'utf8')).toBe('of a session')
  expect(fs.readdirSync(folder)).toEqual(['workspace'])
})

test('a copy that was killed in the middle is made anew at the next start, and is whole then', async () => {
  for (let file = 0; file < 2000; file++) write(`node_modules/${file % 40}/${file}`)
  fs.chmodSync(at('node_modules/7'), 0o555)
  const before = everything()
  await setAside(folder, workspace)

  const program = `import { ownWorkspace } from ${JSON.stringify(join(import.meta.dirname, 'own-workspace.ts'))}
    await ownWorkspace(${JSON.stringify(folder)}, ${JSON.stringify(workspace)})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { detached: true, stdio: 'ignore' })
  const begun = () => fs.existsSync(join(folder, 'workspace-copy')) || child.exitCode !== null
  await expect.poll(begun, { interval: 1, timeout: 20_000 }).toBe(true)
  const ended = child.exitCode === null ? once(child, 'exit') : null
  if (ended) process.kill(-child.pid!, 'SIGKILL')
  await ended

  await ownWorkspace(folder, workspace)
  expect(everything()).toEqual(before)
  expect(fs.readdirSync(folder)).toEqual(['workspace'])
})
