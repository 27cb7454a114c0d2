import type { Page } from 'playwright-core'
import { broken, fails, p, waits, type Story } from './story.ts'

const agents = (page: Page) => page.getByRole('region', { name: 'Agents' })
const kept = (page: Page) => page.getByRole('region', { name: 'Unsaved work' })
const toAgents = (page: Page) => agents(page).scrollIntoViewIfNeeded()

/** Settings, sync, setup, and empty places. */
export const placeStories: Story[] = [
  { screen: 'settings', state: 'of a project', path: `${p}/settings`, shows: 'Retries' },
  {
    screen: 'settings',
    state: 'found in the files',
    path: '/p/blank/settings',
    before: async (page) => {
      await page.getByLabel('Proposed beadloom.json').waitFor()
      await page.getByRole('heading', { name: 'Found in the files' }).evaluate((title) => title.scrollIntoView())
    },
    shows: /has the submodule data\/words/,
  },
  {
    screen: 'settings',
    state: 'secrets of setup',
    path: `${p}/settings`,
    before: async (page) => {
      await page.getByRole('region', { name: 'Setup secrets' }).getByText('missing').waitFor()
      await page.getByRole('region', { name: 'Setup secrets' }).scrollIntoViewIfNeeded()
    },
    shows: 'NPM_TOKEN',
  },
  {
    screen: 'settings',
    state: 'a secret that is set',
    path: `${p}/settings`,
    before: async (page) => {
      await page.getByRole('button', { name: 'Set MAVEN_PASSWORD' }).click()
      await page.getByLabel('Value').fill('not-a-real-one')
    },
    shows: 'Set MAVEN_PASSWORD',
  },
  { screen: 'settings', state: 'of the server', path: `${p}/settings?of=server`, shows: 'OPENAI_API_KEY' },
  {
    screen: 'settings',
    state: 'webhooks tried',
    path: `${p}/settings?of=server`,
    before: (page) => page.getByRole('button', { name: 'Send a test to all' }).click(),
    shows: 'The test failed: it answered 503',
  },
  {
    screen: 'settings',
    state: 'webhooks',
    path: `${p}/settings?of=server`,
    before: (page) => page.getByRole('button', { name: 'Add webhook…' }).scrollIntoViewIfNeeded(),
    shows: /failed .*it answered 503/,
  },
  {
    screen: 'settings',
    state: 'signed-in browsers',
    path: `${p}/settings?of=server`,
    before: (page) => page.getByRole('button', { name: 'Sign out this browser' }).scrollIntoViewIfNeeded(),
    shows: 'Chrome on Windows',
  },
  {
    screen: 'settings',
    state: 'a webhook being added',
    path: `${p}/settings?of=server`,
    before: async (page) => {
      await page.getByRole('button', { name: 'Add webhook…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add a webhook' })
      await dialog.getByRole('textbox', { name: 'Name' }).fill('pager')
      await dialog.getByLabel('Address').fill('ftp://pager.example')
      await dialog.getByRole('checkbox', { name: 'all, also later ones' }).uncheck()
    },
    shows: 'The address must begin with https:// or http://.',
  },
  { screen: 'settings', state: 'of this browser', path: `${p}/settings?of=browser`, shows: 'Theme' },
  { screen: 'settings', state: 'loading', path: `${p}/settings`, ...waits(/\/settings$/), shows: /^Loading/ },
  { screen: 'settings', state: 'error', path: `${p}/settings`, ...broken, shows: 'The settings could not be loaded' },
  { screen: 'sync', state: 'with things that wait', path: `${p}/sync`, shows: /Could not resolve host/ },
  { screen: 'sync', state: 'well', is: 'empty', path: '/p/blank/sync', shows: 'Tracker' },
  { screen: 'sync', state: 'loading', path: `${p}/sync`, ...waits(/\/sync$/), shows: /^Loading status/ },
  { screen: 'sync', state: 'error', path: `${p}/sync`, ...broken, shows: 'The sync status could not be loaded' },
  { screen: 'setup', state: 'first run', path: '/', empty: true, shows: 'Add your first project' },
  {
    screen: 'setup',
    state: 'first run in trouble',
    path: '/',
    empty: true,
    mood: 'ill',
    shows: /Docker does not answer/,
  },
  { screen: 'setup', state: 'with projects', path: '/setup', shows: 'Setup and projects' },
  { screen: 'setup', state: 'loading', path: '/setup', mood: 'silent', shows: 'checking…' },
  {
    screen: 'setup',
    state: 'a large repository is fetched',
    path: '/setup',
    before: async (page) => {
      await page.getByLabel('Path or URL of the git repository').fill('/home/you/code/large')
      await page.getByRole('button', { name: 'Add project' }).click()
    },
    shows: 'receiving objects: 42%, 412 MiB',
  },
  {
    screen: 'setup',
    state: 'refused',
    is: 'error',
    path: '/setup',
    before: async (page) => {
      await page.getByLabel('Path or URL of the git repository').fill('/nowhere')
      await page.getByRole('button', { name: 'Add project' }).click()
    },
    shows: /is not a git repository/,
    noise: /status of 422/,
  },
  {
    screen: 'setup',
    state: 'asked for the base branch',
    path: '/setup',
    before: async (page) => {
      await page.getByLabel('Path or URL of the git repository').fill('/home/you/code/detached')
      await page.getByRole('button', { name: 'Add project' }).click()
    },
    shows: (page) => page.getByLabel('Base branch'),
    noise: /status of 422/,
  },
  { screen: 'system', state: 'well', path: `${p}/system`, shows: 'All passed.' },
  {
    screen: 'system',
    state: 'in trouble',
    is: 'error',
    path: `${p}/system`,
    mood: 'ill',
    shows: /git 2\.34\.1 is too old/,
  },
  { screen: 'system', state: 'not answered', path: '/system', ...broken, shows: /state could not be loaded/ },
  { screen: 'system', state: 'loading', path: '/system', mood: 'silent', shows: /^Loading checks/ },
  {
    screen: 'system',
    state: 'images',
    path: `${p}/system`,
    before: (page) => page.getByRole('group', { name: 'Images' }).scrollIntoViewIfNeeded(),
    shows: /unable to remove repository reference/,
  },
  {
    screen: 'system',
    state: 'unsaved work',
    path: '/system',
    before: (page) => kept(page).scrollIntoViewIfNeeded(),
    shows: kept,
  },
  { screen: 'system', state: 'agents', path: '/system', before: toAgents, shows: /no model configured/i },
  {
    screen: 'system',
    state: 'agents loading',
    path: '/system',
    ...waits(/\/agents$/),
    before: toAgents,
    shows: /^Loading agents/,
  },
  {
    screen: 'system',
    state: 'agents not answered',
    path: '/system',
    ...fails(/\/agents$/),
    before: toAgents,
    shows: /^The agents could not be loaded/,
  },
  { screen: 'system', state: 'first run', path: '/system', empty: true, shows: 'All passed.' },
  {
    screen: 'sign-in',
    state: 'signed out',
    path: p,
    mood: 'strange',
    shows: 'You’re not signed in',
    noise: /401|4401/,
  },
  { screen: 'new version', state: 'to be loaded', path: p, mood: 'newer', shows: 'This page is older than the server' },
  { screen: 'not found', state: 'page', path: '/nowhere', shows: 'Page not found' },
]
