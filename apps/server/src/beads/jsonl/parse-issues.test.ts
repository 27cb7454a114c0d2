import { readFileSync } from 'node:fs'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { hiddenOnBoard, readySet } from '@beadloom/core/bead/ready.ts'
import { describe, expect, test } from 'vitest'
import { MAX_WARNINGS } from '../reading/file-warnings.ts'
import { parseIssues } from '../testing/parse-issues.ts'

const project = parseProjectId('demo')
const NOW = Date.parse('2026-03-01T12:00:00Z')

const issue = (id: string, fields: object = {}) =>
  JSON.stringify({
    id,
    title: `Title of ${id}`,
    status: 'open',
    priority: 2,
    issue_type: 'task',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-02T00:00:00Z',
    ...fields,
  })
const on = (id: string, type = 'blocks') => ({ issue_id: 'x', depends_on_id: id, type })
const parse = (...lines: string[]) => parseIssues(project, `${lines.join('\n')}\n`)
const only = (line: string) => parse(line).beads[0]
const ready = (...lines: string[]) => readySet(parse(...lines).beads, NOW).map(({ id }) => id)

describe('a line of issues.jsonl', () => {
  test('becomes a bead with everything that Beadloom knows, and keeps its own text', () => {
    const line = issue('bd-a1', {
      description: 'Why\nand how',
      labels: ['ui'],
      dependencies: [{ ...on('bd-b', 'waits-for'), metadata: '{"gate":"any-children"}' }],
      defer_until: '2026-06-01T00:00:00+02:00',
      unheard_of: { kept: true },
    })
    expect(parse(line, issue('bd-b'))).toMatchObject({ warnings: [] })
    expect(only(line)).toEqual({
      project,
      id: 'bd-a1',
      title: 'Title of bd-a1',
      description: 'Why\nand how',
      status: 'open',
      trackerStatus: 'open',
      priority: 2,
      type: 'task',
      labels: ['ui'],
      dependencies: [{ dependsOn: 'bd-b', type: 'waits-for', metadata: '{"gate":"any-children"}' }],
      createdAt: Date.parse('2026-01-01T00:00:00Z'),
      updatedAt: Date.parse('2026-01-02T00:00:00Z'),
      deferUntil: Date.parse('2026-05-31T22:00:00Z'),
      pinned: false,
      ephemeral: false,
      template: false,
      raw: line,
    })
  })

  test.each([
    ['open', 'open'],
    ['in_progress', 'in_progress'],
    ['hooked', 'in_progress'],
    ['closed', 'done'],
    ['blocked', 'blocked'],
    ['deferred', 'blocked'],
    ['tombstone', 'done'],
    ['pinned', 'open'],
  ])('of status %s is %s here, and keeps its own word', (word, status) => {
    expect(parse(issue('a', { status: word }))).toMatchObject({
      beads: [{ status, trackerStatus: word }],
      warnings: [],
    })
  })

  test('has the defaults of bd for missing fields: open, critical, a task', () => {
    expect(parse('{"id":"a","title":"t"}')).toMatchObject({
      beads: [{ status: 'open', priority: 0, type: 'task', createdAt: 0, updatedAt: 0, deferUntil: null }],
      warnings: [],
    })
  })

  test('keeps a long title, line breaks, markup and emoji as they are', () => {
    const title = `${'x'.repeat(500)}\n<b>bold</b> 👩‍👩‍👧 \u202e`
    expect(only(issue('a', { title }))?.title).toBe(title)
  })

  test('knows wisps by their old name too', () => {
    expect(only(issue('a', { wisp: true }))?.ephemeral).toBe(true)
    expect(only(issue('a', { ephemeral: true, is_template: true, pinned: true }))).toMatchObject({
      ephemeral: true,
      template: true,
      pinned: true,
    })
  })

  test('may end with a carriage return, and the file may begin with a byte order mark', () => {
    expect(parseIssues(project, `\uFEFF${issue('a')}\r\n\r\n${issue('b')}`)).toMatchObject({
      beads: [{ id: 'a', raw: issue('a') }, { id: 'b' }],
      warnings: [],
    })
  })
})

describe('a file with mistakes gives its good beads, and a warning with the line for the rest:', () => {
  const warningsOf = (...lines: string[]) => parse(...lines).warnings

  test('a broken line', () => {
    const { beads, warnings } = parse(issue('a'), 'oops', issue('b'))
    expect(beads.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(warnings).toEqual([expect.stringMatching(/^line 2 is not JSON .*it was left out\. Fix the line\.$/)])
  })

  test('a broken line with a readable id keeps beads waiting for it', () => {
    const lines = [issue('a').slice(0, 40), issue('b', { dependencies: [on('a')] }), issue('c')]
    expect(ready(...lines)).toEqual(['c'])
    expect(parse(...lines).beads).toContainEqual(expect.objectContaining({ id: 'a', trackerStatus: 'unreadable' }))
    expect(warningsOf(...lines)).toEqual([expect.stringMatching(/^line 1 is not JSON .*a is shown as unreadable/)])
  })

  test('a broken line beside a good one of the same bead', () => {
    expect(parse(issue('a'), issue('a').slice(0, 40)).beads).toMatchObject([{ id: 'a', trackerStatus: 'open' }])
    expect(parse(issue('a').slice(0, 40), issue('a')).beads).toMatchObject([{ id: 'a', trackerStatus: 'open' }])
  })

  test('a backslash that escapes nothing, or a raw tab', () => {
    const { beads, warnings } = parse('{"id":"a","title":"C:\\owner\\\\x \\u00e9","description":"a\tb"}')
    expect(beads).toMatchObject([{ title: 'C:\\owner\\x é', description: 'a b' }])
    expect(warnings).toEqual([expect.stringMatching(/^line 1: a was read, but a backslash/)])
  })

  test.each([
    'null',
    '[]',
    '"a"',
    '{"title":"no id"}',
    '{"id":7}',
    '{"id":"../etc"}',
    '{"id":"a b"}',
    '{"_type":"odd"}',
  ])('%s, which holds no bead', (line) => {
    expect(parse(line, issue('z'))).toMatchObject({
      beads: [{ id: 'z' }],
      warnings: [expect.stringMatching(/^line 1 .*left out/)],
    })
  })

  test('values of the wrong kind, each by its name', () => {
    const odd = { title: 5, priority: 'P1', description: [], created_at: 'soon', dependencies: [on('b'), 'x', {}] }
    const { beads, warnings } = parse(issue('a', odd), issue('b'))
    expect(beads[0]).toMatchObject({
      title: '(no title)',
      priority: 2,
      description: '',
      createdAt: 0,
      dependencies: [{ dependsOn: 'b', type: 'blocks' }],
    })
    expect(warnings).toHaveLength(6)
    for (const warning of warnings)
      expect(warning).toMatch(/^line 1: a was read, but its|^line 1: a was read, but 2 of/)
    for (const word of ['title is not text', 'title is missing', 'created_at', 'description', 'priority', '2 of its'])
      expect(warnings.join('\n')).toContain(word)
  })

  test('two lines with one id: the later counts', () => {
    const { beads, warnings } = parse(issue('a', { title: 'old' }), issue('b'), issue('a', { title: 'new' }))
    expect(beads.map(({ title }) => title)).toEqual(['new', 'Title of b'])
    expect(warnings).toEqual(['line 3: a is already on line 1; the later line counts. Remove the wrong one.'])
  })

  test('an unknown status: neither ready nor closed, one warning for each word', () => {
    const lines = [
      issue('a', { status: 'review' }),
      issue('b', { status: 'review' }),
      issue('c', { dependencies: [on('a')] }),
    ]
    expect(ready(...lines)).toEqual([])
    expect(parse(...lines).beads[0]).toMatchObject({ status: 'blocked', trackerStatus: 'review' })
    expect(warningsOf(...lines)).toEqual([expect.stringMatching(/^line 1 and 1 more: unknown status "review":/)])
  })

  test.each([
    ['<<<<<<< HEAD', 2],
    ['=======', 2],
    ['>>>>>>> branch', 2],
    ['||||||| base\r', 2],
  ])('a conflict marker (%j) refuses the whole file', (marker, line) => {
    const { beads, warnings } = parse(issue('a'), marker, issue('b'))
    expect(beads).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`^line ${line} is a git conflict marker.*Resolve`))])
  })

  test('a title that only looks like a conflict marker is no conflict', () => {
    expect(parse(issue('a', { title: '<<<<<<< HEAD' })).beads).toHaveLength(1)
  })

  test('dependencies in a circle, with their path', () => {
    const lines = [issue('a', { dependencies: [on('b')] }), issue('b', { dependencies: [on('a')] }), issue('c')]
    expect(ready(...lines)).toEqual(['c'])
    expect(warningsOf(...lines)).toEqual([expect.stringMatching(/^line 1: a dependency cycle, a → b → a:/)])
  })

  test('a dependency on a missing bead holds its bead back or is ignored; ended beads and needs of other projects get no warning', () => {
    const lines = [
      issue('a', { dependencies: [on('gone')] }),
      issue('b', { status: 'closed', dependencies: [on('gone')] }),
      issue('c', { dependencies: [on('external:api:login'), on('gone', 'related')] }),
      issue('d', { dependencies: [on('gone', 'parent-child')] }),
    ]
    expect(ready(...lines)).toEqual(['d'])
    expect(warningsOf(...lines)).toEqual([
      'line 1: a depends on gone (blocks), which is not in the file, so it waits for that. Add that bead, or remove the dependency.',
      'line 4: d depends on gone (parent-child), which is not in the file, so the dependency is ignored. Add that bead, or remove the dependency.',
    ])
  })

  test('memories and headers are skipped silently', () => {
    const memory = '{"_type":"memory","key":"k","value":"private"}'
    const { beads, warnings } = parse('{"_schema":"beads-jsonl/1"}', memory, issue('a', { _type: 'issue' }), '')
    expect(beads.map(({ id }) => id)).toEqual(['a'])
    expect(warnings).toEqual([])
  })

  test('ten thousand broken lines make a hundred warnings', () => {
    const { beads, warnings } = parse(...Array.from({ length: 10_000 }, () => '{'), issue('a'))
    expect(beads).toHaveLength(1)
    expect(warnings).toHaveLength(MAX_WARNINGS)
    expect(warnings.at(-1)).toMatch(/^and 9901 more problems/)
  })

  test('nothing but broken lines is no tracker: no bead is read, and the line where reading stopped is named', () => {
    const { beads, warnings } = parse(issue('a-1'), ...Array.from({ length: 30_000 }, () => 'no bead'))
    expect(beads).toEqual([])
    expect(warnings).toEqual([
      'line 10002 is broken like 10000 before it: no bead was read. Restore the file, then sync again.',
    ])
  })

  test('an empty file has no beads and no problems', () => {
    for (const text of ['', '\n', ' \r\n']) expect(parseIssues(project, text)).toEqual({ beads: [], warnings: [] })
  })
})

describe('deleted and pinned beads', () => {
  test('end what waits for them, and are not work themselves', () => {
    const lines = [
      issue('t', { status: 'tombstone', deleted_at: '2026-01-01T00:00:00Z' }),
      issue('p', { status: 'pinned' }),
      issue('a', { dependencies: [on('t'), on('p')] }),
    ]
    expect(ready(...lines)).toEqual(['a'])
    expect(
      parse(...lines)
        .beads.filter(hiddenOnBoard)
        .map(({ id }) => id),
    ).toEqual(['t'])
  })
})

describe('a real tracker of 2404 beads', () => {
  const data = (name: string) => readFileSync(new URL(`../../../../../test/data/${name}`, import.meta.url), 'utf8')
  const { beads, warnings } = parseIssues(project, data('beads-2404.jsonl'))

  test('is read to the last bead; its two lines that are not quite JSON are named', () => {
    expect(beads).toHaveLength(2404)
    expect(new Set(beads.map(({ id }) => id)).size).toBe(2404)
    expect(warnings.map((warning) => warning.slice(0, 10))).toEqual(['line 1152:', 'line 1541:'])
  })

  test('has the statuses that were counted in the file', () => {
    const count = (word: string) => beads.filter(({ trackerStatus }) => trackerStatus === word).length
    expect(['closed', 'tombstone', 'open', 'hooked', 'in_progress'].map(count)).toEqual([1967, 342, 79, 14, 2])
    expect(beads.filter(({ ephemeral }) => ephemeral)).toHaveLength(324)
  })

  test('has the ready set that was derived from the rules (test/data/beads-2404-ready.md)', () => {
    expect(readySet(beads, NOW).map(({ id }) => id)).toEqual(JSON.parse(data('beads-2404-ready.json')))
  })
})
