import { expect, test } from 'vitest'
import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import { forgeLink, pullRequestWords } from './pull-request-state.ts'

const view = (given: Partial<PullRequestView>): PullRequestView => ({
  id: 'pr-1',
  project: 'demo',
  state: 'open',
  branch: 'beadloom/work',
  base: 'main',
  commit: 'c',
  title: 'T',
  review: 'ex-0000000001',
  forge: 'github',
  url: 'https://github.com/a/b/pull/7',
  number: 7,
  detail: 'So.',
  askedAt: 1,
  endedAt: 2,
  ...given,
})

test('an open pull request leads to the forge, an unready one to the review with the issues', () => {
  expect(pullRequestWords(view({}))).toMatchObject({
    text: 'PR #7',
    link: { is: 'forge', host: 'github.com' },
    live: false,
  })
  expect(pullRequestWords(view({ state: 'not_ready', url: null }))).toMatchObject({
    link: { is: 'review', id: 'ex-0000000001' },
    live: false,
  })
  expect(pullRequestWords(view({ state: 'reviewing', url: null }))).toMatchObject({
    live: true,
    link: { is: 'review' },
  })
  expect(pullRequestWords(view({ state: 'opening', url: null }))).toMatchObject({ live: true, link: null })
  expect(pullRequestWords(view({ state: 'pushed', url: null, number: null }))).toMatchObject({
    text: 'Branch pushed',
    link: null,
  })
  expect(pullRequestWords(view({ state: 'failed', detail: 'Give it a token.' }))).toMatchObject({
    tone: 'failed',
    why: 'Give it a token.',
  })
})

test('an address that is not the web’s, or that carries a name, is no link', () => {
  for (const url of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ssh://git@host/x',
    'https://a@b.example/',
    'nothing',
    '',
  ])
    expect(forgeLink(url)).toBeNull()
  expect(forgeLink('https://git.example.org:8443/a?b#c')).toEqual({
    is: 'forge',
    url: 'https://git.example.org:8443/a?b#c',
    host: 'git.example.org:8443',
  })
})
