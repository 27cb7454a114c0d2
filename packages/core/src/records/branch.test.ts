import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beadOfMessage, branchName, commitMessage, MAX_BRANCH_LENGTH, namesBead } from './branch.ts'
import { parseBeadId } from './ids.ts'

/** The rules of `git check-ref-format`, for a name that will be `refs/heads/{name}`. */
function refProblem(name: string): string | null {
  if (name === '' || name === '@' || name.startsWith('-')) return 'empty, @ or an option'
  for (const part of name.split('/')) {
    if (part === '' || part.startsWith('.') || part.endsWith('.lock')) return `bad component ${part}`
  }
  if (name.includes('..') || name.includes('@{') || name.endsWith('.')) return 'dots or @{'
  // eslint-disable-next-line no-control-regex
  return /[\0-\x20\x7f~^:?*[\\]/.test(name) ? 'forbidden character' : null
}

/** Ids as `bd` and its relatives make them, and worse ones that `parseBeadId` lets through. */
const beadIds = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_]{0,8}([.-][A-Za-z0-9_]{1,12}){0,6}$/)
const titles = fc.oneof(fc.string({ unit: 'binary', maxLength: 600 }), fc.string({ unit: 'grapheme', maxLength: 600 }))

describe('the branch of a bead', () => {
  test.each([
    ['bd-a1', 'Fix the login', 'beads-bd-a1-fix-the-login'],
    ['my-app-a3f2.1', 'Größe & Maß: 3 < 4', 'beads-my-app-a3f2.1-grosse-mass-3-4'],
    ['bd-1', '🚀🚀', 'beads-bd-1'],
    ['bd-1', '', 'beads-bd-1'],
    ['bd-1', '日本語', 'beads-bd-1'],
    ['bd-1', 'line one\nline two\r\n', 'beads-bd-1-line-one-line-two'],
    ['bd-1', '<img src=x onerror="alert(1)">', 'beads-bd-1-img-src-x-onerror-alert-1'],
    ['bd-1', '../../etc/passwd; rm -rf $HOME', 'beads-bd-1-etc-passwd-rm-rf-home'],
    ['bd-1.lock', '', 'beads-bd-1'],
  ])('of %s "%s" is %s', (id, title, expected) => {
    expect(branchName(id, title)).toBe(expected)
  })

  test('keeps the whole id and cuts the title when it is 500 characters long', () => {
    const name = branchName('bd-a1b2c3', 'word '.repeat(100))
    expect(name.length).toBeLessThanOrEqual(MAX_BRANCH_LENGTH)
    expect(name).toMatch(/^beads-bd-a1b2c3-(word-)*\w+$/)
  })

  test('is a bounded, repeatable ref name that git accepts, for any id and title', () => {
    fc.assert(
      fc.property(fc.oneof(beadIds, titles), titles, (id, title) => {
        const name = branchName(id, title)
        expect(refProblem(name)).toBeNull()
        expect(name).toMatch(/^beads[\w.-]*$/)
        expect(name.length).toBeLessThanOrEqual(MAX_BRANCH_LENGTH)
        expect(branchName(id, title)).toBe(name)
      }),
      { numRuns: 500 },
    )
  })

  test('begins with the id of every checked bead', () => {
    fc.assert(
      fc.property(beadIds, titles, (id, title) => {
        fc.pre(!id.endsWith('.lock') && id.length <= 80)
        const sentinel = branchName(parseBeadId(id), `z ${title}`)
        expect(sentinel.startsWith(`beads-${id.replace(/[.-]+$/, '')}-z`)).toBe(true)
      }),
    )
  })
})

describe('the commit message of a bead', () => {
  test('is "Bead {id}: {title}"', () => {
    expect(commitMessage('bd-a1', 'Add  parser')).toBe('Bead bd-a1: Add  parser')
  })

  test('stays on one line when the title does not', () => {
    expect(commitMessage('bd-1', 'one\r\ntwo\u2028three\u0000\tfour\n')).toBe('Bead bd-1: one two three four')
  })
})

test('a message names a bead by its whole id, wherever it is', () => {
  for (const message of ['Bead bl-1: Add', 'feat: add (bl-1)', 'Merge x\n\nBead: bl-1.', 'fixes bl-1, bl-2'])
    expect(namesBead(message, 'bl-1')).toBe(true)
  for (const message of ['Bead bl-12: Add', 'bl-1.2', 'xbl-1', 'bl-1-more', 'a.bl-1', ''])
    expect(namesBead(message, 'bl-1')).toBe(false)
  expect(namesBead('Bead a.b-1: x', 'a.b-1')).toBe(true)
  expect(namesBead('Bead axb-1: x', 'a.b-1')).toBe(false)
})

test('the bead of a commit message of ours is found again', () => {
  fc.assert(
    fc.property(beadIds, titles, (id, title) => {
      expect(beadOfMessage(commitMessage(id, `t${title}`))).toBe(id)
    }),
  )
  expect(beadOfMessage('# 1')).toBeNull()
})
