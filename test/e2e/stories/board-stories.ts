import type { Page } from 'playwright-core'
import { holdOver, take } from '../support/drag.ts'
import { dialog, edge, p, press, type Story } from './story.ts'

const skeleton = (page: Page) => page.getByLabel('Loading board')
const compact = async (page: Page) => {
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Compact' }).click()
  await page.keyboard.press('Escape')
}
const none = /^0 of \d+ beads/

export const boardStories: Story[] = [
  { screen: 'board', state: 'full', path: p, shows: 'wc-1a4' },
  { screen: 'board', state: 'empty', path: '/p/blank', shows: 'This project has no beads yet' },
  { screen: 'board', state: 'filtered to none', path: `${p}?q=zebra`, shows: none },
  { screen: 'board', state: 'filtered', path: `${p}?q=date`, shows: 'wc-9fe' },
  {
    screen: 'board',
    state: 'of a viewer',
    path: p,
    mood: 'viewer',
    before: (page) => page.getByRole('button', { name: /^Signed in as vera/ }).click(),
    shows: 'Sign out',
  },
  { screen: 'board', state: 'loading', path: p, mood: 'silent', shows: skeleton },
  { screen: 'board', state: 'error', path: p, mood: 'away', shows: skeleton, noise: /WebSocket|ERR_|Failed to load/ },
  {
    screen: 'board',
    state: 'no such project',
    path: '/p/nowhere',
    shows: 'There is no project “nowhere”',
    noise: /status of 404/,
  },
  { screen: 'board', state: 'paused', path: edge, shows: /paused/i },
  { screen: 'board', state: 'tokens of the day nearly used', path: edge, shows: /^86% of today’s 5,000,000 tokens/ },
  {
    screen: 'board',
    state: 'nothing starts without setup',
    path: '/p/no-setup',
    shows: /^Nothing starts in this project/,
  },
  { screen: 'board', state: 'nothing starts on a red base', path: '/p/all-red', shows: 'Fix failing checks' },
  { screen: 'board', state: 'checks red on the base', path: '/p/red-lint', shows: 'Being fixed in rl-a02' },
  { screen: 'board', state: 'tests red on the base by name', path: '/p/red-by-name', shows: /test_collation/ },
  { screen: 'board', state: 'no test runs on the base', path: '/p/no-test-passes', shows: /No test passes/ },
  { screen: 'board', state: 'autopilot paused itself', path: '/p/braked', shows: /^Autopilot paused itself/ },
  { screen: 'board', state: 'base being proved', path: '/p/first-day', shows: /running setup/ },
  { screen: 'board', state: 'huge', path: '/p/big-tracker', shows: /^bd-/ },
  {
    screen: 'board',
    state: 'several selected',
    path: p,
    before: press('j', 'x', 'J'),
    shows: /2 (beads )?(selected|chosen)/,
  },
  { screen: 'board', state: 'one state filtered', path: `${p}?state=failed,timeout`, shows: 'wc-d20' },
  { screen: 'board', state: 'by label', path: `${p}?group=label`, shows: 'beadloom' },
  { screen: 'board', state: 'with follow-ups', path: '/p/follow-ups', shows: 'fu-b1' },
  { screen: 'board', state: 'of which follow-ups are searched for', path: '/p/follow-ups?q=failing', shows: 'fu-b1f4' },
  { screen: 'board', state: 'by epic', path: `${p}?group=epic`, shows: 'wc-1a4' },
  { screen: 'board', state: 'by priority', path: `${p}?group=priority`, shows: 'wc-b02' },
  {
    screen: 'board',
    state: 'card in hand',
    path: `${p}?lane=open`,
    before: async (page) => {
      await take(page, page.locator('[data-bead="wc-e03"]'))
      await holdOver(page, page.locator('[data-drop="column running"]'))
    },
    shows: (page) => page.locator('[data-ghost]'),
  },
  {
    screen: 'board',
    state: 'moving by keys',
    path: `${p}?lane=open`,
    before: async (page) => {
      await page.locator('[data-bead="wc-e03"] a').first().focus()
      await press('m')(page)
    },
    shows: dialog,
  },
  {
    screen: 'board',
    state: 'saved views',
    path: `${p}?lane=open`,
    before: press('f', 'v'),
    shows: 'What needs me',
  },
  {
    screen: 'board',
    state: 'editing views',
    path: `${p}?q=date`,
    before: async (page) => {
      await press('f', 'v')(page)
      await page.getByRole('menuitem', { name: 'Edit views …' }).click()
    },
    shows: dialog,
  },
  {
    screen: 'board',
    state: 'saving a view',
    path: `${p}?q=date`,
    before: async (page) => {
      await press('f', 'v')(page)
      await page.getByRole('menuitem', { name: 'Save this view …' }).click()
    },
    shows: dialog,
  },
  { screen: 'board', state: 'compact', path: p, before: compact, shows: 'wc-1a4' },
  {
    screen: 'list',
    state: 'by label and compact',
    path: `${p}?view=list&group=label`,
    before: compact,
    shows: 'wc-d22',
  },
  { screen: 'list', state: 'with follow-ups', path: '/p/follow-ups?view=list', shows: 'fu-b1' },
  { screen: 'list', state: 'full', path: `${p}?view=list`, shows: 'wc-1a4' },
  { screen: 'list', state: 'empty', path: '/p/blank?view=list', shows: 'This project has no beads yet' },
  { screen: 'list', state: 'filtered to none', path: `${p}?view=list&q=zebra`, shows: none },
  { screen: 'list', state: 'loading', path: `${p}?view=list`, mood: 'silent', shows: skeleton },
  {
    screen: 'list',
    state: 'error',
    path: `${p}?view=list`,
    mood: 'away',
    shows: skeleton,
    noise: /WebSocket|ERR_|Failed to load/,
  },
  { screen: 'list', state: 'huge', path: '/p/big-tracker?view=list', shows: /^bd-/ },
  { screen: 'peek', state: 'full', path: p, before: press('j', ' '), shows: dialog },
]
