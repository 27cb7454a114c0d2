import { tmpdir } from 'node:os'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../process/clock.ts'
import { createTracker } from '../find-tracker.ts'
import { issuesStamp, readIssuesFile, rewriteIssues as rewrite } from './issues-file.ts'
import type { Clock } from '../../process/clock.ts'
import { asText } from '../testing/as-text.ts'
import { fileText } from '../testing/file-text.ts'
import { commentOn, file, line, statusOf, TrackerFolder } from '../testing/tracker-folder.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

const made: TrackerFolder[] = []
const folder = (text: string | null): TrackerFolder => {
  const one = new TrackerFolder(text)
  made.push(one)
  return one
}
afterEach(() => made.splice(0).forEach((one) => one.remove()))

const find = (at: TrackerFolder) =>
  createTracker({ clock: systemClock, env: { PATH: '/nowhere' }, own: tmpdir(), trusted: [] }).find(at.path)
/** Replaces the whole text. */
const rewriteIssues = (path: string, clock: Clock, edit: (text: string) => string | Promise<string>) =>
  rewrite({ folder: path }, clock, asText(edit))
const names = (at: TrackerFolder) => readdirSync(join(at.path, '.beads')).toSorted()

describe('the file is replaced whole', () => {
  test('keeps its rights, and leaves nothing else behind', async () => {
    const at = folder(file(line('a-1')))
    const { mode, ino } = statSync(at.file)
    expect(await rewriteIssues(at.path, systemClock, (text) => `${text}${line('a-2')}\n`)).toBe(true)
    expect(at.text).toBe(file(line('a-1'), line('a-2')))
    expect(statSync(at.file).mode).toBe(mode)
    expect(statSync(at.file).ino).not.toBe(ino)
    expect(names(at)).toEqual(['issues.jsonl'])
  })

  test('but not when nothing changes, or when making the new text fails', async () => {
    const at = folder(file(line('a-1')))
    const { ino } = statSync(at.file)
    await rewriteIssues(at.path, systemClock, (text) => text)
    await expect(
      rewriteIssues(at.path, systemClock, () => {
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(statSync(at.file).ino).toBe(ino)
    expect(names(at)).toEqual(['issues.jsonl'])
  })

  longTest('a writer that is killed at any moment leaves the old file or the new one (crash)', async () => {
    const before = file(...Array.from({ length: 3000 }, (_, at) => line(`a-${at}`)))
    const after = `${before}${line('z-1')}\n`
    const at = folder(before)
    const program = `
      import { rewriteIssues } from ${JSON.stringify(join(import.meta.dirname, 'issues-file.ts'))}
      import { asText } from ${JSON.stringify(join(import.meta.dirname, '../testing/as-text.ts'))}
      import { systemClock } from ${JSON.stringify(join(import.meta.dirname, '../../process/clock.ts'))}
      const extra = process.argv[2]
      console.log('begin')
      for (;;) await rewriteIssues({ folder: process.argv[1] }, systemClock, asText((text) => text.endsWith(extra) ? text.slice(0, -extra.length) : text + extra))`
    for (let kill = 0; kill < 6; kill += 1) {
      const args = ['--input-type=module', '-e', program, at.path, `${line('z-1')}\n`]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(child.stdout, 'data')
      for (let turn = 0; turn < 200 * (kill + 1); turn += 1) await new Promise(setImmediate)
      child.kill('SIGKILL')
      await once(child, 'close')
      expect([before, after]).toContain(at.text)
    }
    // The leftovers of killed writers, even a lock, block nobody.
    await rewriteIssues(at.path, systemClock, () => before)
    expect(at.text).toBe(before)
    await rewriteIssues(at.path, systemClock, () => after)
    expect(names(at)).toEqual(['issues.jsonl'])
  })
})

describe('somebody who writes at the same time loses nothing:', () => {
  const ours = (text: string) => `${text.replace(/ours\n/, '')}ours\n`

  test('an editor that puts another file in its place', async () => {
    const at = folder('one\n')
    let times = 0
    await rewriteIssues(at.path, systemClock, (text) => {
      times += 1
      if (times === 1) {
        writeFileSync(`${at.file}.new`, 'one\ntheirs\n')
        renameSync(`${at.file}.new`, at.file)
      }
      return ours(text)
    })
    expect(at.text).toBe('one\ntheirs\nours\n')
  })

  test('a script that writes into it', async () => {
    const at = folder('one\n')
    const handle = openSync(at.file, 'a')
    let times = 0
    await rewriteIssues(at.path, systemClock, (text) => {
      times += 1
      if (times < 4) writeSync(handle, `theirs ${times}\n`)
      return ours(text)
    })
    expect(at.text).toBe('one\ntheirs 1\ntheirs 2\ntheirs 3\nours\n')
  })

  test('a program that never stops is asked again later', async () => {
    const at = folder(file(line('a-1')))
    let times = 0
    const endless = rewriteIssues(at.path, systemClock, (text) => {
      times += 1
      at.put(`${times}\n`)
      return ours(text)
    })
    await expect(endless).rejects.toThrow(/rewritten by somebody else/)
    expect(at.text).toBe(`${times}\n`)
  })

  test('ten writers of ours in turn', async () => {
    const at = folder('0\n')
    const more = () => rewriteIssues(at.path, systemClock, (text) => `${Number(text) + 1}\n`)
    await Promise.all(Array.from({ length: 10 }, more))
    expect(at.text).toBe('10\n')
  })
})

test('a file that changes while it is read is not believed', async () => {
  const at = folder(file(line('a-1')))
  const read = await readIssuesFile({ folder: at.path }, systemClock, null)
  const pieces = read?.pieces()[Symbol.asyncIterator]()
  await pieces?.next()
  appendFileSync(at.file, file(line('a-2')))
  await expect(pieces?.next()).rejects.toThrow('changed while it was read')
  await read?.close?.()
})

describe('a file that somebody writes slowly in place', () => {
  const [one, two, three] = ['a-1', 'a-2', 'a-3'].map((id) => file(line(id))) as [string, string, string]
  /** A clock that runs one step in each sleep. */
  const meanwhile = (...steps: (() => void)[]): Clock => ({ ...systemClock, sleep: async () => steps.shift()?.() })
  const read = async (at: TrackerFolder, clock: Clock, last: string | null) => {
    const found = await readIssuesFile({ folder: at.path }, clock, last)
    return fileText(found)
  }
  const before = async () => {
    const at = folder(one + two)
    return { at, last: await issuesStamp({ folder: at.path }) }
  }

  test('is read once it stays the same', async () => {
    const { at, last } = await before()
    at.put(one)
    expect(
      await read(
        at,
        meanwhile(() => at.put(one + two + three)),
        last,
      ),
    ).toBe(one + two + three)
    at.put(one + two + three.slice(0, 9))
    const end = () => appendFileSync(at.file, three.slice(9))
    expect(await read(at, meanwhile(end), last)).toBe(one + two + three)
  })

  test('is left for another time while it still changes', async () => {
    const { at, last } = await before()
    at.put('')
    const more = () => appendFileSync(at.file, 'x')
    await expect(read(at, meanwhile(more, more, more), last)).rejects.toThrow('is being written; it is read again')
  })

  test('is not waited for if it was replaced, or has only grown by whole lines', async () => {
    const { at, last } = await before()
    const never = meanwhile(() => expect.unreachable())
    expect(await read(at, never, last)).toBe(one + two)
    appendFileSync(at.file, three)
    expect(await read(at, never, last)).toBe(one + two + three)
    writeFileSync(`${at.file}.new`, one)
    renameSync(`${at.file}.new`, at.file)
    expect(await read(at, never, last)).toBe(one)
  })

  test('is believed if a person has taken a bead out', async () => {
    const { at, last } = await before()
    at.put(two)
    expect(await read(at, meanwhile(), last)).toBe(two)
  })
})

describe('a thing that is no file of beads', () => {
  test('is neither followed nor written: a link, a folder, something that is not UTF-8', async () => {
    const link = folder(null)
    mkdirSync(join(link.path, '.beads'))
    writeFileSync(join(link.path, 'secret'), 'secret')
    symlinkSync(join(link.path, 'secret'), link.file)
    await expect(readIssuesFile({ folder: link.path }, systemClock, null)).rejects.toThrow(/cannot be read/)
    const dir = folder(null)
    mkdirSync(dir.file, { recursive: true })
    await expect(readIssuesFile({ folder: dir.path }, systemClock, null)).rejects.toThrow(/not a regular file/)
    const odd = folder(null)
    mkdirSync(join(odd.path, '.beads'))
    writeFileSync(odd.file, Buffer.from([0x61, 0xff, 0x0a]))
    await expect(rewriteIssues(odd.path, systemClock, ours)).rejects.toThrow(/not UTF-8/)
    function ours(text: string) {
      return `${text}x`
    }
  })
})

describe('a working tree', () => {
  test('with the file alone is read and written directly', async () => {
    const at = folder(file(line('a-1')))
    const found = await find(at)
    expect(found.info).toMatchObject({ kind: 'jsonl', writable: true })
    const stamp = await found.stamp()
    expect(await found.write([statusOf('a-1', 'in_progress'), commentOn('a-1')])).toEqual([
      { result: 'written', word: 'in_progress' },
      { result: 'written' },
    ])
    expect(await found.stamp()).not.toBe(stamp)
    expect(await fileText(await found.read())).toContain('"status":"in_progress"')
  })

  test('without .beads has no tracker, and none is made there', async () => {
    const at = folder(null)
    const found = await find(at)
    expect(found.info).toMatchObject({ kind: 'none', writable: false, text: expect.stringContaining('bd init') })
    expect([await found.read(), await found.stamp()]).toEqual([null, null])
    expect(await found.write([statusOf('a-1', 'done')])).toMatchObject([{ result: 'later' }])
    expect(existsSync(join(at.path, '.beads'))).toBe(false)
  })

  test.each<[string, string, Record<string, string>?]>([
    ['beads.db', 'these beads are kept by a bd before 0.51, or by br:'],
    ['beads.db', 'these beads are kept by br: only', { '.br_history/issues.jsonl': '' }],
    ['beads.db', 'br writes this file anew', { '.gitignore': '*.db\n.br_history/\n' }],
    ['embeddeddolt', "not on the server's PATH"],
  ])('with %s but not its program is only read: %s', async (name, says, beside = {}) => {
    const at = folder(file(line('a-1')))
    for (const [path, text] of Object.entries(beside)) {
      mkdirSync(dirname(join(at.path, '.beads', path)), { recursive: true })
      writeFileSync(join(at.path, '.beads', path), text)
    }
    writeFileSync(join(at.path, '.beads', name), '')
    const found = await find(at)
    expect(found.info).toMatchObject({ kind: 'read-only', writable: false, text: expect.stringContaining(says) })
    expect(await fileText(await found.read())).toBe(at.text)
    expect(await found.write([statusOf('a-1', 'done')])).toMatchObject([{ result: 'later' }])
    expect(at.text).toBe(file(line('a-1')))
  })
})
