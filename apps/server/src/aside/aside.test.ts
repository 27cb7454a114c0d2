import { digestText } from '@beadloom/core/digest/digest-reader.ts'
import { parseBeadId, parseExecutionId, parseProjectId } from '@beadloom/core/records/ids.ts'
import { look } from '@beadloom/core/environment/look.ts'
import { rules } from '@beadloom/core/secrets/rule-set.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'
import { testsOfChange } from '@beadloom/core/tamper/tests-of-change.ts'
import { afterEach, expect, test } from 'vitest'
import type { Aside, OutputDigest } from '../ports/aside.ts'
import { systemClock } from '../process/clock.ts'
import { sourceFile } from '../process/own-files.ts'
import { pathToFileURL } from 'node:url'
import { TrackedMemory } from '../beads/testing/tracked-memory.ts'
import { issuesAtOnce } from '../beads/jsonl/issues-at-once.ts'
import { createAside } from './create-aside.ts'
import { SMALL_BYTES } from './bounds.ts'
import { Readings } from './orders.ts'

const opened: (Aside & { close: () => Promise<void> })[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

function aside(): Aside {
  const made = createAside({ clock: systemClock })
  opened.push(made)
  return made
}

/** Opens a reader with little time, for which some words are expensive. */
function strict(): Aside {
  const file = pathToFileURL(sourceFile('aside', 'testing', 'stuck-worker.ts'))
  const made = createAside({ clock: systemClock, file, bounds: { msPerMiB: 1_000, floorMs: 300, mostMs: 1_000 } })
  opened.push(made)
  return made
}

const tsc = (count: number): string =>
  Array.from({ length: count }, (_, at) => `src/part${at}.ts(${at},1): error TS2322: Type 'Ä${at}' is not B.\n`).join(
    '',
  )
const options = { command: 'npx tsc -p .' }

/** Prints in pieces that are cut within characters, as they come from a pipe. */
async function print(output: OutputDigest, text: string, size = 1013): Promise<void> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) {
    output.push('stdout', bytes.subarray(from, from + size))
    await output.room()
  }
}

longTest.each([
  ['a few lines', 5],
  ['a long output', 2_000],
  ['a very long output', 20_000],
])('%s has the same digest aside as at once', async (_, count) => {
  const output = aside().digest(options)
  await print(output, tsc(count))
  expect(await output.end(2)).toEqual(digestText(tsc(count), options, 2))
})

longTest('both streams are read in the order in which they came, each with its own half characters', async () => {
  const output = aside().digest(options)
  const [first, second] = [Buffer.from(tsc(300)), Buffer.from("src/z.ts(1,1): error TS1: Type 'Ö' is not B.\n")]
  const half = second.indexOf(0xc3) + 1
  output.push('stdout', first)
  output.push('stderr', second.subarray(0, half))
  output.push('stderr', second.subarray(half))
  expect(await output.end(1)).toEqual(digestText(first.toString() + second.toString(), options, 1))
})

test.each([['a check prints what takes for ever', 'for ever', SMALL_BYTES]])(
  '%s: its end is reported as it is, with a note that nobody read it',
  isUnread,
)
longTest.each([
  ['a check prints what takes for ever, early in a flood', 'for ever', 2_000_000],
  ['a check prints what fills the memory', 'without end', SMALL_BYTES],
])('%s: its end is reported as it is, with a note that nobody read it', isUnread)

async function isUnread(_: string, words: string, more: number): Promise<void> {
  const output = strict().digest({ command: 'npm test', type: 'test' })
  await print(output, `${words}\n${'nothing\n'.repeat(more / 8)}the last line\n`, 60_000)
  const digest = await output.end(1)
  expect(digest).toMatchObject({ tool: 'generic', passed: false, failures: null, tests: [], unread: true })
  expect(digest.digest).toContain('takes too much work to read')
  expect(digest.digest.endsWith('the last line')).toBe(true)
}

longTest(
  'an output that is too expensive costs others nothing: outputs at the same time and after it are read',
  async () => {
    const threads = strict()
    const [bad, good] = [threads.digest(options), threads.digest(options)]
    await print(good, tsc(10_000))
    await print(bad, `for ever\n${tsc(10_000)}`, 60_000)
    expect(await bad.end(2)).toMatchObject({ unread: true })
    expect(await good.end(2)).toMatchObject({ tool: 'tsc', failures: 10_000 })
    const next = threads.digest(options)
    await print(next, tsc(500))
    expect(await next.end(2)).toMatchObject({ tool: 'tsc', failures: 500 })
  },
)

longTest('more outputs than threads are read in turn', async () => {
  const threads = aside()
  const outputs = Array.from({ length: 6 }, () => threads.digest(options))
  for (const output of outputs) await print(output, tsc(300))
  const digests = await Promise.all(outputs.map((output) => output.end(2)))
  expect(digests.map(({ failures }) => failures)).toEqual(Array(6).fill(300))
})

longTest('a bug in a reading is an error for its caller, and the next one is read', async () => {
  const threads = strict()
  const output = threads.digest(options)
  await print(output, `a bug\n${tsc(500)}`)
  await expect(output.end(1)).rejects.toThrow('a bug of our own')
  const next = threads.digest(options)
  await print(next, tsc(500))
  expect(await next.end(2)).toMatchObject({ failures: 500 })
})

longTest('closing the threads does not wait for a reading that never ends', async () => {
  const made = createAside({
    clock: systemClock,
    file: pathToFileURL(sourceFile('aside', 'testing', 'stuck-worker.ts')),
  })
  const output = made.digest(options)
  await print(output, `for ever\n${tsc(500)}`)
  const digest = output.end(1)
  digest.catch(() => {})
  await made.close()
  await expect(digest).rejects.toThrow('the server stopped')
})

const repository = (files: Record<string, string>) => ({
  paths: Object.keys(files),
  texts: new Map(Object.entries(files)),
})
const node = {
  'package.json': '{"scripts": {"test": "vitest run"}}',
  '.nvmrc': '24\n',
  'README.md': '',
  'src/a.ts': '',
}
const padding = { 'requirements.txt': 'requests\n'.repeat(SMALL_BYTES) }

longTest('the files of a repository are read aside as they are at once', async () => {
  const files = repository({ ...node, ...padding })
  expect(await aside().environment(files)).toEqual(look(files))
})

longTest('a file that takes too much work is named and left out, and the others are read', async () => {
  const files = repository({ ...node, ...padding, 'compose.yaml': 'for ever' })
  const found = await strict().environment(files)
  expect(found.notes[0]).toEqual({
    text: 'compose.yaml takes too much work to read. It was left out.',
    from: { file: 'compose.yaml', line: null },
  })
  expect(found.tools).toMatchObject([{ tool: 'node', version: '24' }, {}])
})

longTest('a repository all of whose files take too much work is not read at all, which is said', async () => {
  const bad = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`a${at}/package.json`, 'for ever']))
  const found = await strict().environment(repository({ ...bad, ...padding }))
  expect(found.commands).toEqual([])
  expect(found.notes.map(({ text }) => text)).toEqual([
    'The files of this repository take too much work to read. They were left out.',
  ])
})

longTest('a thread notes which file it reads, before it does', () => {
  const texts: [string, string][] = [
    ['a.txt', ''],
    ['package.json', '{}'],
  ]
  const reading = new Int32Array(1).fill(-1)
  new Readings().answer({ do: 'environment', paths: 'package.json', texts, reading })
  expect(reading[0]).toBe(1)
})

const changeOf = (patch: string) => ({
  files: [{ path: 'a.test.ts', status: 'M', patch, cut: false }],
  collectedBefore: 4,
  collectedAfter: 3,
})
const lost = Array.from({ length: 300 }, (_, at) => `-  test('${at}', () => expect(f(${at})).toBe(${at}))`).join('\n')

longTest("a change's effect on tests is found aside as at once", async () => {
  const change = changeOf(`@@ -1 +1 @@\n${lost}\n`)
  const found = await aside().tests(change)
  expect(found).toEqual(testsOfChange(change))
  expect(found.weaker.length).toBeGreaterThan(0)
})

longTest('a change of tests that takes too much work is held against its author', async () => {
  const found = await strict().tests(changeOf(`@@ -1 +1 @@\n+// for ever\n${lost}\n`))
  expect(found).toMatchObject({ weaker: ['the tests changed more than could be checked'], fresh: 0, adding: [] })
})

const line = (id: string, title: string) => `{"id":"${id}","title":"${title}","status":"open","priority":2}\n`
const beads = (count: number) =>
  Array.from({ length: count }, (_, at) => line(`bl-${1000 + at}`, `Bead ${at}`)).join('')
const project = parseProjectId('demo')
const comment = {
  seq: 1,
  rev: 1,
  project,
  bead: parseBeadId('bl-1001'),
  kind: 'comment' as const,
  at: 1,
  text: 'Done.',
}
const change = { ...comment, execution: parseExecutionId('ex-aaaaaaaaaa') }

longTest("a tracker's file is read, changed and merged aside as at once", async () => {
  const { issues } = aside()
  const text = beads(300)
  expect(text.length).toBeGreaterThan(SMALL_BYTES)
  const [there, here] = [new TrackedMemory(issues, project), new TrackedMemory(issuesAtOnce, project)]
  expect(await there.read(text)).toEqual(await here.read(text))
  expect(there.beads).toEqual(here.beads)
  expect(there.beads.size).toBe(300)
  expect(await issues.edit(text, [change], 1)).toEqual(await issuesAtOnce.edit(text, [change], 1))
  const wanted = { ids: new Set(['bl-1007']), added: ['bl-1100b'], comments: true }
  const scan = await issuesAtOnce.scan(Buffer.from(text), wanted)
  expect(scan).toMatchObject({ lines: 300, found: [{ id: 'bl-1007' }], places: [{ id: 'bl-1100b' }] })
  expect(await issues.scan(Buffer.from(text), wanted)).toEqual(scan)
  const [ours, theirs] = [text.replace('Bead 7"', 'Ours"'), text.replace('Bead 9"', 'Theirs"')]
  const merged = await issues.merge(text, ours, theirs)
  expect(merged).toBe(await issuesAtOnce.merge(text, ours, theirs))
  expect(merged).toContain('"Ours"')
  expect(await issues.merge(text, ours, `<<<<<<< a\n${text}`)).toBeNull()
})

longTest('a bead whose long line takes too much work is refused by its name, and the others are read', async () => {
  const text = `${beads(50)}${line('bl-9', `for ever${' '.repeat(100_000)}`)}${line('bl-10', 'Ten')}`
  const read = new TrackedMemory(strict().issues, project)
  expect(await read.read(text)).toEqual([
    'line 51 takes too much work to read; bl-9 is shown as unreadable, and beads that wait for it keep waiting. Fix the line.',
  ])
  expect(read.beads.size).toBe(52)
  expect(read.beads.get('bl-9')?.bead).toMatchObject({ trackerStatus: 'unreadable' })
})

longTest("a tracker's file that takes too much work is not read, not written, and not merged", async () => {
  const { issues } = strict()
  const text = `${beads(300)}${line('bl-9', 'for ever')}`
  const read = new TrackedMemory(issues, project)
  const warnings = await read.read(text)
  expect(read.beads.size).toBe(0)
  expect(warnings).toEqual([expect.stringContaining('takes too much work to read: its reading was ended at line 301')])
  expect(await issues.edit(text, [change], 1)).toMatchObject({ text, outcomes: [{ result: 'later' }] })
  expect(await issues.scan(Buffer.from(text), { ids: new Set(), added: [], comments: false })).toBeNull()
  expect(await issues.merge(text, `${text}a`, `${text}b`)).toBeNull()
})

const patch = (lines: string[]) =>
  Buffer.from(`+++ b/src/a.js\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`)
const looksLikeAKey = `ghp_${'Zk3Qv9RtXw7PmLs2Hd8YbNcJf5GaUe4TiVo6'}`

longTest('secrets are found aside, in bytes of any encoding', async () => {
  const patches = [patch(['é', `send('${looksLikeAKey}')`]), Buffer.from([0x2b, 0xff, 0xfe, 0x0a])]
  const said = await aside().secrets(patches)
  expect(said).toMatchObject({ found: [{ rule: 'github-pat', path: 'src/a.js', line: 2 }], more: false })
})

longTest('a text is read in UTF-16 of either order, with a mark and without, and with zero bytes in it', async () => {
  const text = `Grüße\r\nsend('${looksLikeAKey}')\r\n`
  const le = Buffer.from(text, 'utf16le')
  const be = Buffer.from(le).swap16()
  const utf32 = Buffer.from([0xff, 0xfe, 0, 0, ...[...text].flatMap((one) => [one.charCodeAt(0) % 256, 0, 0, 0])])
  const files = [le, Buffer.concat([Buffer.from([0xff, 0xfe]), le]), be, Buffer.concat([Buffer.from([0xfe, 0xff]), be])]
  const all = [...files, utf32, Buffer.from(`\0${text}`)].map((bytes, at) => ({ commit: '', path: `${at}.txt`, bytes }))
  const said = await aside().secrets([], all)
  expect(said?.found.map(({ path, line, secret }) => [path, line, secret])).toEqual(
    all.map(({ path }) => [path, 2, looksLikeAKey]),
  )
})

longTest('a beginning in UTF-16 hides nothing that follows in ASCII', async () => {
  const wide = Buffer.from('All that is at the beginning. '.repeat(300), 'utf16le')
  const follows = Buffer.from(`\nsend('${looksLikeAKey}')\n`)
  const files = [wide, Buffer.from(wide).swap16()].map((start) => Buffer.concat([start, follows]))
  const said = await aside().secrets(
    [],
    files.map((bytes, at) => ({ commit: '', path: `${at}.bin`, bytes })),
  )
  expect(said?.found.map(({ path, secret }) => [path, secret])).toEqual([
    ['0.bin', looksLikeAKey],
    ['1.bin', looksLikeAKey],
  ])
})

longTest('texts that leave the server are masked aside, and one that takes too much work is left out', async () => {
  expect(await aside().masked([`sent ${looksLikeAKey}`, '', 'plain'])).toEqual(['sent ***', '', 'plain'])
  expect(await strict().masked(['for ever'])).toEqual([expect.stringContaining('left out')])
})

longTest('a change that is too expensive to be searched for secrets has no result', async () => {
  expect(await strict().secrets([patch(['for ever'])])).toBeNull()
})

longTest(
  "a search in which every rule looks at every line is given up once it costs more than the change's size allows",
  async () => {
    const words = [...new Set(rules.flatMap(({ keywords }) => keywords))].join(' = ')
    const made = createAside({ clock: systemClock, bounds: { msPerMiB: 1, floorMs: 1, mostMs: 1 } })
    opened.push(made)
    expect(await made.secrets([patch(Array.from({ length: 60 }, () => words))])).toBeNull()
  },
)
