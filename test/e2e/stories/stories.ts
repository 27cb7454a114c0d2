import type { Locator, Page } from 'playwright-core'
import type { Mood } from '../../../apps/web/dev/fixture-world.ts'

/** One state of one screen, as the made-up server of `apps/web/dev` shows it. */
export type Story = {
  screen: string
  state: string
  path: string
  /** A server without a project. */
  empty?: true
  /** How the server is while the page loads. */
  mood?: Mood
  /** What a person does then. */
  before?: (page: Page) => Promise<unknown>
  /** How the server is from then on. */
  later?: Mood
  /** It is there when this is seen: words, or an element. */
  shows: string | RegExp | ((page: Page) => Locator)
  /** Console messages that belong to it. */
  noise?: RegExp
}

const p = '/p/wordcraft'
const dialog = (page: Page) => page.getByRole('dialog')
const cards = (page: Page) => page.locator('[data-bead]').filter({ visible: true }).first().waitFor()
const press = (key: string) => async (page: Page) => {
  await cards(page)
  await page.keyboard.press(key)
}
const broken = { mood: 'broken', noise: /status of 500/ } as const

const board: Story[] = [
  { screen: 'board', state: 'full', path: p, shows: 'wc-1a4' },
  { screen: 'board', state: 'empty', path: '/p/blank', shows: 'This project has no beads yet' },
  { screen: 'board', state: 'filtered to none', path: `${p}?q=zebra`, shows: /^(None of|No bead|Nothing)/ },
  { screen: 'board', state: 'filtered', path: `${p}?q=date`, shows: 'wc-9fe' },
  {
    screen: 'board',
    state: 'loading',
    path: p,
    mood: 'silent',
    shows: (page) => page.getByLabel('Loading the board'),
  },
  {
    screen: 'board',
    state: 'no such project',
    path: '/p/nowhere',
    shows: 'There is no project “nowhere”',
  },
  { screen: 'board', state: 'huge', path: '/p/big-tracker', shows: /^bd-/ },
]

const layers: Story[] = [
  {
    screen: 'new bead',
    state: 'empty',
    path: p,
    before: (page) =>
      page
        .getByRole('button', { name: /New bead/ })
        .filter({ visible: true })
        .first()
        .click(),
    shows: dialog,
  },
  { screen: 'keys', state: 'of the board', path: p, before: press('?'), shows: dialog },
  { screen: 'palette', state: 'open', path: p, before: press('Control+k'), shows: dialog },
  {
    screen: 'system',
    state: 'well',
    path: p,
    before: (page) => page.getByRole('button', { name: /slots in use/ }).click(),
    shows: dialog,
  },
  {
    screen: 'run',
    state: 'with options',
    path: `${p}/b/wc-c11`,
    before: async (page) => {
      await page.getByRole('button', { name: 'Run with options' }).waitFor()
      await page.keyboard.press('o')
    },
    shows: dialog,
  },
  {
    screen: 'stop',
    state: 'asked',
    path: `${p}/b/wc-1a4`,
    before: async (page) => {
      await page.getByRole('tab', { name: 'Output' }).waitFor()
      await page.keyboard.press('S')
    },
    shows: dialog,
  },
]

const beads: Story[] = [
  {
    screen: 'bead',
    state: 'running',
    path: `${p}/b/wc-1a4`,
    shows: (page) => page.getByRole('region', { name: /^Log/ }),
  },
  { screen: 'bead', state: 'failed', path: `${p}/b/wc-d20`, shows: /still fail after 3 attempts/ },
  { screen: 'bead', state: 'blocked', path: `${p}/b/wc-c11?tab=output`, shows: /Two word lists/ },
  { screen: 'bead', state: 'timeout', path: `${p}/b/wc-d21`, shows: /limit of silence/ },
  { screen: 'bead', state: 'retrying', path: `${p}/b/wc-77c`, shows: /retry at/ },
  { screen: 'bead', state: 'waiting', path: `${p}/b/wc-e01?tab=output`, shows: /waits for/ },
  { screen: 'bead', state: 'hostile title', path: `${p}/b/wc-e03?tab=output`, shows: /<img src=x/ },
  { screen: 'bead', state: 'info', path: `${p}/b/wc-9fe?tab=info`, shows: /What should change/ },
  {
    screen: 'bead',
    state: 'none',
    path: `${p}/b/wc-none`,
    shows: 'wc-none could not be shown',
    noise: /status of 404/,
  },
  { screen: 'bead', state: 'loading', path: `${p}/b/wc-1a4`, mood: 'silent', shows: 'wordcraft' },
  { screen: 'bead', state: 'error', path: `${p}/b/wc-1a4`, ...broken, shows: 'wc-1a4 could not be shown' },
  { screen: 'output', state: 'none yet', path: `${p}/b/wc-b02?tab=output`, shows: /waits|not started|Nothing/ },
  {
    screen: 'output',
    state: 'long and ended',
    path: `${p}/b/wc-f02?tab=output`,
    shows: (page) => page.getByRole('region', { name: /^Log/ }),
  },
  { screen: 'diff', state: 'of work', path: `${p}/b/wc-f02?tab=diff`, shows: 'src/date.ts' },
  { screen: 'diff', state: 'none', path: `${p}/b/wc-e02?tab=diff`, shows: 'There is no branch yet' },
  { screen: 'attempts', state: 'three failed', path: `${p}/b/wc-d20?tab=attempts`, shows: 'Attempt 3' },
  { screen: 'attempts', state: 'flaky', path: `${p}/b/wc-f01?tab=attempts`, shows: /same commit/ },
  {
    screen: 'attempts',
    state: 'none',
    path: `${p}/b/wc-e02?tab=attempts`,
    shows: (page) => page.getByRole('tabpanel'),
  },
]

const reviewOf = async (page: Page, name: RegExp) => {
  await page
    .getByRole('list', { name: 'Reviews, newest first' })
    .getByRole('link', { name })
    .filter({ visible: true })
    .first()
    .click()
}
const reviews: Story[] = [
  { screen: 'reviews', state: 'full', path: `${p}/reviews`, shows: 'wc-f01' },
  { screen: 'reviews', state: 'none', path: '/p/blank/reviews', shows: 'Nothing has been reviewed yet' },
  { screen: 'reviews', state: 'loading', path: `${p}/reviews`, mood: 'silent', shows: 'wordcraft' },
  { screen: 'reviews', state: 'error', path: `${p}/reviews`, ...broken, shows: 'The reviews could not be read' },
  { screen: 'review', state: 'with issues', path: `${p}/b/wc-f01?tab=review`, shows: /An invalid date is returned/ },
  {
    screen: 'review',
    state: 'an issue beside the diff',
    path: `${p}/b/wc-f01?tab=review&issue=2&show=diff`,
    shows: /Safari/,
  },
  { screen: 'review', state: 'ready', path: `${p}/b/wc-f02?tab=review`, shows: /[Rr]eady/ },
  { screen: 'review', state: 'unusable answer', path: `${p}/b/wc-c11?tab=review`, shows: /no usable answer/ },
  { screen: 'review', state: 'failed', path: `${p}/b/wc-77x?tab=review`, shows: /used up its memory/ },
  { screen: 'review', state: 'running', path: `${p}/b/wc-d21?tab=review`, shows: /review/i },
  { screen: 'review', state: 'queued', path: `${p}/b/wc-d20?tab=review`, shows: /3 of 3 slots/ },
  { screen: 'review', state: 'none', path: `${p}/b/wc-e03?tab=review`, shows: (page) => page.getByRole('tabpanel') },
  {
    screen: 'review',
    state: 'of the work branch',
    path: `${p}/reviews`,
    before: (page) => reviewOf(page, /work branch|beadloom\/work/i),
    shows: 'An invalid date is returned as if it were one',
  },
]

const settings: Story[] = [
  { screen: 'settings', state: 'of a project', path: `${p}/settings`, shows: 'Retries' },
  { screen: 'settings', state: 'of the server', path: `${p}/settings?of=server`, shows: 'OPENAI_API_KEY' },
  { screen: 'settings', state: 'of this browser', path: `${p}/settings?of=browser`, shows: 'Theme' },
  { screen: 'settings', state: 'loading', path: `${p}/settings`, mood: 'silent', shows: 'Settings' },
  { screen: 'settings', state: 'error', path: `${p}/settings`, ...broken, shows: 'The settings could not be read' },
  { screen: 'sync', state: 'with things that wait', path: `${p}/sync`, shows: /Could not resolve host/ },
  { screen: 'sync', state: 'well', path: '/p/blank/sync', shows: 'Tracker' },
  { screen: 'sync', state: 'error', path: `${p}/sync`, ...broken, shows: 'The status could not be read' },
  { screen: 'set-up', state: 'first run', path: '/', empty: true, shows: 'Give Beadloom its first project' },
  { screen: 'set-up', state: 'with projects', path: '/setup', shows: 'Set-up and projects' },
  {
    screen: 'set-up',
    state: 'refused',
    path: '/setup',
    before: async (page) => {
      await page.getByLabel('Path or URL of its git repository').fill('/nowhere')
      await page.getByRole('button', { name: 'Add project' }).click()
    },
    shows: /is not a git repository/,
    noise: /status of 422/,
  },
  { screen: 'page', state: 'not found', path: '/nowhere', shows: 'There is no such page' },
]

const noise = /WebSocket|ERR_|Failed to load/
const connection: Story[] = ['board', 'bead'].flatMap((screen): Story[] => {
  const path = screen === 'board' ? p : `${p}/b/wc-1a4`
  const there = (page: Page) => page.getByText('wc-1a4').filter({ visible: true }).first().waitFor()
  const offline = async (page: Page) => {
    await there(page)
    await page.context().setOffline(true)
  }
  const chip = (words: RegExp) => (page: Page) => page.getByRole('banner').getByRole('button', { name: words })
  return [
    { screen, state: 'offline', path, before: offline, shows: chip(/^offline/), noise },
    { screen, state: 'stale', path, before: there, later: 'away', shows: chip(/^reconnecting/), noise },
  ]
})

export const stories: readonly Story[] = [...board, ...layers, ...beads, ...reviews, ...settings, ...connection]

export const nameOf = ({ screen, state }: Story): string => `${screen}, ${state}`.replace(/ /g, '-').replace(',', '')
