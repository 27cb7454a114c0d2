import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../process/clock.ts'
import { fileText } from './testing/file-text.ts'
import { createTracker } from './find-tracker.ts'
import { file, line, statusOf, TrackerFolder } from './testing/tracker-folder.ts'

/* A worktree whose `.beads/redirect` names the `.beads` of the repository beside it. */

let main: TrackerFolder
let worktree: string
let tracker: ReturnType<typeof createTracker>
beforeEach(() => {
  main = new TrackerFolder(file(line('a-1')))
  worktree = realpathSync(mkdtempSync(join(tmpdir(), 'redirect-')))
  mkdirSync(join(worktree, '.beads'))
  tracker = createTracker({ clock: systemClock, env: { PATH: '/nowhere' }, own: tmpdir(), trusted: [] })
})
afterEach(() => {
  main.remove()
  rmSync(worktree, { recursive: true, force: true })
})

const redirect = (text: string) => writeFileSync(join(worktree, '.beads', 'redirect'), text)
const git = (...args: string[]) => {
  const { status, stderr } = spawnSync('git', args, { cwd: worktree, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
const refused = async (why: string) => {
  const { info } = await tracker.find(worktree)
  expect(info).toMatchObject({ kind: 'read-only', writable: false, text: expect.stringContaining(why) })
}

describe('a redirect is followed', () => {
  test('to the named folder, which is read, watched and written', async () => {
    redirect(`# where the beads are\n\n  ${main.path}/.beads  \n${worktree}/other\n`)
    const adapter = await tracker.find(worktree)
    expect(adapter.info).toMatchObject({ kind: 'jsonl', writable: true, text: expect.stringContaining(main.path) })
    expect(await fileText(await adapter.read())).toBe(main.text)
    const before = await adapter.stamp()
    expect(await adapter.write([statusOf('a-1', 'done')])).toMatchObject([{ result: 'written' }])
    expect(main.text).toContain('"closed"')
    expect(await adapter.stamp()).not.toBe(before)
  })

  test('relative to the working tree', async () => {
    redirect(`../${main.path.split('/').at(-1)}/.beads\n`)
    expect(await fileText(await (await tracker.find(worktree)).read())).toBe(main.text)
  })

  test('for one hop: if the named folder has one too, that is ignored', async () => {
    redirect(`${main.path}/.beads`)
    writeFileSync(join(main.path, '.beads', 'redirect'), `${worktree}/.beads\n`)
    expect(await fileText(await (await tracker.find(worktree)).read())).toBe(main.text)
  })

  test('nowhere, when it is empty', async () => {
    redirect('# nothing\n')
    writeFileSync(join(worktree, '.beads', 'issues.jsonl'), file(line('b-1')))
    expect(await fileText(await (await tracker.find(worktree)).read())).toBe(file(line('b-1')))
  })
})

describe('a redirect is not followed, with a sentence and without a write,', () => {
  test.each([
    ['to a folder that is not there', () => '/nowhere/.beads', 'does not exist'],
    ['to a folder that is no .beads', () => main.path, 'is not a .beads folder'],
    ['to a file', () => main.file, 'does not exist'],
    ['to a link that leads to no .beads', () => linkTo('/etc'), 'is not a .beads folder'],
    ['with a path that no person wrote', () => `${main.path}/.beads\u0000x`, 'does not contain a path'],
    ['that is longer than any path', () => 'x'.repeat(5000), 'not a small regular file'],
  ])('%s', async (_, target, why) => {
    redirect(target())
    await refused(why)
    expect(main.text).toBe(file(line('a-1')))
  })

  test.runIf(process.getuid?.() === 0)('to the folder of somebody else', async () => {
    chownSync(join(main.path, '.beads'), 65_534, 65_534)
    redirect(`${main.path}/.beads`)
    await refused('belongs to somebody else')
  })

  test('that is a link', async () => {
    symlinkSync('/etc/hostname', join(worktree, '.beads', 'redirect'))
    await refused('cannot be read')
  })

  test.each([2, 4])('that came with the repository (index version %s)', async (version) => {
    redirect(`${main.path}/.beads`)
    git('init', '-q')
    expect((await tracker.find(worktree)).info.kind).toBe('jsonl')
    writeFileSync(join(worktree, '.beads', 'config.yaml'), '')
    git('add', '.beads/config.yaml')
    expect((await tracker.find(worktree)).info.kind).toBe('jsonl')
    git('-c', `index.version=${version}`, 'add', '.')
    git('update-index', `--index-version=${version}`)
    await refused('it is committed')
    git('rm', '-q', '--cached', '.beads/redirect')
    expect((await tracker.find(worktree)).info.kind).toBe('jsonl')
  })

  test.each([
    ['after a name that it shares a beginning with (index version 4)', ['update-index', '--index-version=4']],
    ['in a split index', ['update-index', '--split-index']],
  ])('that came with the repository, %s', async (_, form) => {
    redirect(`${main.path}/.beads`)
    writeFileSync(join(worktree, '.beads', 're'), '')
    git('init', '-q')
    git('add', '.')
    git(...form)
    await refused('it is committed')
  })

  test.each(['sha1', 'sha256'])('that came with a repository of many files (%s)', async (format) => {
    redirect(`${main.path}/.beads`)
    git('init', '-q', `--object-format=${format}`)
    for (let length = 1; length < 30; length += 1) writeFileSync(join(worktree, 'x'.repeat(length)), '')
    git('add', 'x*')
    expect((await tracker.find(worktree)).info.kind).toBe('jsonl')
    git('add', '--intent-to-add', '.')
    await refused('it is committed')
  })
})

function linkTo(target: string): string {
  const path = join(worktree, 'link.beads')
  symlinkSync(target, path)
  return path
}
