import type { Page } from 'playwright-core'
import { dialog, edge, p, press, pressAnywhere, type Story } from './story.ts'

const option = (page: Page) => page.getByRole('option')
/** Opens the dialog that runs a bead and chooses an agent in it. */
const runBy = (agent: string) => async (page: Page) => {
  await page.getByRole('button', { name: /^Run with (options|a note)$/ }).waitFor()
  await page.keyboard.press('o')
  await dialog(page).getByLabel('Agent', { exact: true }).selectOption(agent)
}

/** Layers that open over a page. */
export const layerStories: Story[] = [
  { screen: 'new bead', state: 'empty', path: p, before: press('n'), shows: dialog },
  { screen: 'keys', state: 'of the board', path: p, before: press('?'), shows: dialog },
  {
    screen: 'keys',
    state: 'of the output',
    path: `${p}/b/wc-9fe?tab=output`,
    before: async (page) => {
      await page.getByRole('region', { name: /^Log/ }).waitFor()
      await page.keyboard.press('?')
    },
    shows: dialog,
  },
  { screen: 'palette', state: 'open', path: p, before: press('Control+k'), shows: option },
  {
    screen: 'palette',
    state: 'filtered to none',
    path: p,
    before: async (page) => {
      await press('Control+k')(page)
      await dialog(page).getByRole('combobox').fill('zebra')
    },
    shows: /^No results for “zebra”/,
  },
  {
    screen: 'palette',
    state: 'huge',
    path: '/p/big-tracker',
    before: async (page) => {
      await press('Control+k')(page)
      await dialog(page).getByRole('combobox').fill('make')
    },
    shows: /^First 50 of/,
  },
  {
    screen: 'palette',
    state: 'first run',
    path: '/',
    empty: true,
    before: pressAnywhere('Control+k'),
    shows: option,
  },
  { screen: 'inbox', state: 'full', path: p, before: press('g', 'n'), shows: 'Mark all as read' },
  {
    screen: 'inbox',
    state: 'empty',
    path: '/p/big-tracker',
    before: press('g', 'n'),
    shows: /^Nothing here needs you\. Beads that fail/,
  },
  { screen: 'inbox', state: 'huge', path: edge, before: press('g', 'n'), shows: /case 30 names/ },
  {
    screen: 'run',
    state: 'with options',
    path: `${p}/b/wc-c11`,
    before: async (page) => {
      await page.getByRole('button', { name: /^Run with (options|a note)$/ }).waitFor()
      await page.keyboard.press('o')
    },
    shows: dialog,
  },
  {
    screen: 'run',
    state: 'changed while it runs',
    path: `${edge}/b/eg-said`,
    before: async (page) => {
      await page.getByRole('button', { name: 'Change model or time limit' }).click()
      await page.getByRole('textbox', { name: 'Model' }).fill('gpt-5.2')
      await page.getByRole('textbox', { name: 'Time limit' }).fill('soon')
      await page.getByRole('button', { name: 'Change', exact: true }).click()
    },
    shows: /^The time limit is a time such as/,
  },
  {
    screen: 'run',
    state: 'with fresh starts',
    path: `${p}/b/wc-c11`,
    before: async (page) => {
      await page.getByRole('button', { name: /^Run with (options|a note)$/ }).waitFor()
      await page.keyboard.press('o')
      await dialog(page).getByLabel('Fresh starts', { exact: true }).selectOption('3')
      await dialog(page).getByText('Retry policy').click()
    },
    shows: /begins again in the same session/,
  },
  {
    screen: 'run',
    state: 'by another agent',
    path: `${p}/b/wc-c11`,
    before: runBy('codex'),
    shows: /gpt-5 at https/,
  },
  {
    screen: 'run',
    state: 'by an agent without a model',
    path: `${p}/b/wc-c11`,
    before: runBy('claude'),
    shows: /^No model configured for Anthropic/,
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
