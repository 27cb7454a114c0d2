import type { Page } from 'playwright-core'
import { fails, waits, type Story } from './story.ts'

const l = '/p/plans'
const tree = (page: Page) => page.getByRole('tree', { name: 'Phases and subtasks' })
const item = (words: RegExp) => (page: Page) => tree(page).getByRole('treeitem', { name: words }).first()
/** Opens the form, and the fields of one subtask. */
const edit = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.locator('summary', { hasText: 'Implement the search index' }).click()
}
const fields = (page: Page) => page.locator('details[open]')

export const planStories: Story[] = [
  { screen: 'plan', state: 'running', path: `${l}/b/pn-run`, shows: item(/Build the search page/) },
  {
    screen: 'plan',
    state: 'a phase that was done again',
    path: `${l}/b/pn-run?tab=plan&item=phase 2`,
    shows: (page) => page.getByRole('heading', { name: /^Attempt 1/ }),
  },
  {
    screen: 'plan',
    state: 'a review that said no',
    path: `${l}/b/pn-done?tab=plan&item=phase 2`,
    shows: (page) => page.getByText('Accents are not folded'),
  },
  { screen: 'plan', state: 'an older version', path: `${l}/b/pn-run?tab=plan&plan=1`, shows: /^Version 2 is the one/ },
  { screen: 'plan', state: 'waiting for approval', path: `${l}/b/pn-wait`, shows: /^This plan waits/ },
  { screen: 'plan', state: 'waiting between two phases', path: `${l}/b/pn-paused`, shows: item(/^Pending Phase 3/) },
  { screen: 'plan', state: 'failed', path: `${l}/b/pn-failed?tab=plan`, shows: /^The agent ended with code 1/ },
  { screen: 'plan', state: 'done', path: `${l}/b/pn-done?tab=plan`, shows: item(/^Done Phase 4/) },
  {
    screen: 'output',
    state: 'by a plan',
    path: `${l}/b/pn-done?tab=output`,
    before: async (page) => {
      await page
        .getByRole('button', { name: /2a Implement the search index/ })
        .first()
        .click()
    },
    shows: (page) => page.getByRole('button', { name: /2a Implement the search index/, expanded: true }),
  },
  { screen: 'plan', state: 'being made', path: `${l}/b/pn-architect?tab=plan`, shows: 'An architect is planning' },
  {
    screen: 'plan',
    state: 'none that can be used',
    is: 'empty',
    path: `${l}/b/pn-odd?tab=plan`,
    shows: 'Planning ended without a plan',
  },
  {
    screen: 'plan',
    state: 'loading',
    path: `${l}/b/pn-wait?tab=plan`,
    ...waits(/\/plan(\?|$)/),
    shows: /^Loading the plan/,
  },
  {
    screen: 'plan',
    state: 'error',
    path: `${l}/b/pn-wait?tab=plan`,
    ...fails(/\/plan(\?|$)/),
    shows: 'The plan could not be loaded',
  },
  { screen: 'plan', state: 'huge', path: `${l}/b/pn-big?tab=plan`, shows: item(/Phase 1/) },

  {
    screen: 'edit plan',
    state: 'without problems',
    path: `${l}/b/pn-wait`,
    before: edit,
    shows: (page) => page.getByRole('heading', { name: 'No problems' }),
  },
  {
    screen: 'edit plan',
    state: 'with problems',
    path: `${l}/b/pn-wait`,
    before: async (page) => {
      await edit(page)
      await fields(page).getByLabel('Files it creates').fill('../outside.ts')
      await fields(page).getByLabel('1a', { exact: true }).uncheck()
    },
    shows: (page) => page.getByRole('heading', { name: '3 problems' }),
  },
  {
    screen: 'edit plan',
    state: 'huge',
    path: `${l}/b/pn-big?tab=plan`,
    before: (page) => page.getByRole('button', { name: 'Edit', exact: true }).click(),
    shows: '2 phases',
  },
]
