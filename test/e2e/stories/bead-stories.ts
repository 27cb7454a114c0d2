import type { Page } from 'playwright-core'
import { broken, edge, fails, p, waits, type Story } from './story.ts'

const log = (page: Page) => page.getByRole('region', { name: /^(Log|Conversation) of/ })
const files = (page: Page) => page.locator('[data-diff-surface]').getByText('src/date.test.ts')

export const beadStories: Story[] = [
  { screen: 'bead', state: 'running', path: `${p}/b/wc-1a4`, shows: log },
  { screen: 'bead', state: 'limits and cost', path: `${edge}/b/eg-silent?tab=output`, shows: /^41\.2k\/50k tok/ },
  { screen: 'bead', state: 'at a limit of tokens', path: `${edge}/b/eg-budget?tab=output`, shows: 'Grant more' },
  {
    screen: 'bead',
    state: 'at a limit of money',
    path: `${edge}/b/eg-money?tab=output`,
    before: async (page) => {
      await page.getByRole('textbox', { name: 'USD' }).fill('much')
      await page.keyboard.press('Enter')
    },
    shows: /^Enter an amount such as 2\.50/,
  },
  {
    screen: 'bead',
    state: 'with messages',
    path: `${edge}/b/eg-said?tab=output`,
    shows: /^read by its agent/,
  },
  {
    screen: 'bead',
    state: 'with a message that is refused',
    path: `${edge}/b/eg-said?tab=output`,
    ...fails(/\/messages$/),
    before: async (page) => {
      await page.getByRole('textbox', { name: /^Your message/ }).fill('One line,\nand another one')
      await page.keyboard.press('Control+Enter')
    },
    shows: /^Internal error/,
  },
  {
    screen: 'bead',
    state: 'with messages of a viewer',
    path: `${edge}/b/eg-said?tab=output`,
    mood: 'viewer',
    shows: /^read by its agent/,
  },
  { screen: 'bead', state: 'waiting for an answer', path: `${edge}/b/eg-asks?tab=output`, shows: 'Two word lists' },
  { screen: 'bead', state: 'paused with a message', path: `${edge}/b/eg-held?tab=output`, shows: 'Show all' },
  {
    screen: 'bead',
    state: 'with a message that was not read',
    path: `${edge}/b/eg-late?tab=output`,
    shows: 'not read: it ended before',
  },
  { screen: 'bead', state: 'failed', path: `${p}/b/wc-d20`, shows: /still fail after 3 attempts/ },
  { screen: 'bead', state: 'not checked', path: `${edge}/b/eg-blind?tab=attempts`, shows: 'Take it unchecked' },
  { screen: 'bead', state: 'with a secret', path: `${edge}/b/eg-key?tab=attempts`, shows: 'Allow: not a secret' },
  { screen: 'bead', state: 'with weaker tests', path: `${edge}/b/eg-weak?tab=attempts`, shows: 'Allow these changes' },
  { screen: 'bead', state: 'blocked', path: `${p}/b/wc-c11?tab=output`, shows: /Two word lists/ },
  { screen: 'bead', state: 'timeout', path: `${p}/b/wc-d21`, shows: /limit of silence/ },
  { screen: 'bead', state: 'retrying', path: `${p}/b/wc-77c`, shows: /retried at/ },
  { screen: 'bead', state: 'completed', path: `${p}/b/wc-f01`, shows: files },
  { screen: 'bead', state: 'waiting', path: `${p}/b/wc-e01`, shows: /waits for|wc-9fe/i },
  { screen: 'bead', state: 'hostile title', path: `${p}/b/wc-e03?tab=output`, shows: /<img src=x/ },
  { screen: 'bead', state: 'that reminds of another', path: `${p}/b/wc-r10`, shows: /^Reminder:/ },
  ...(
    [
      ['that can run', 'a1', 'Run fu-a1f4'],
      ['of which one runs', 'b1', 'Cancel fu-b1f4'],
      ['that is queued', 'c1', 'Cancel fu-c1f4'],
      ['that asks', 'd1', 'Your answer for fu-d1f4'],
      ['that is done', 'e1', 'Close fu-e1'],
    ] as const
  ).map(([state, bead, label]): Story => ({
    screen: 'bead',
    state: `with a follow-up ${state}`,
    path: `/p/follow-ups/b/fu-${bead}`,
    shows: (page) =>
      page
        .getByLabel(label)
        .or(page.getByRole('button', { name: label }))
        .first(),
  })),
  { screen: 'bead', state: 'with a reminder left', path: `${p}/b/wc-f02?tab=attempts`, shows: 'Close wc-r11' },
  {
    screen: 'bead',
    state: 'none',
    is: 'empty',
    path: `${p}/b/wc-none`,
    shows: 'wc-none could not be loaded',
    noise: /status of 404/,
  },
  { screen: 'bead', state: 'loading', path: `${p}/b/wc-1a4`, mood: 'silent', shows: /^Loading wc-1a4/ },
  { screen: 'bead', state: 'error', path: `${p}/b/wc-1a4`, ...broken, shows: 'wc-1a4 could not be loaded' },
  { screen: 'bead', state: 'huge', path: `${edge}/b/eg-big?tab=output`, shows: 'eg-big' },

  { screen: 'info', state: 'full', path: `${p}/b/wc-9fe?tab=info`, shows: /First point/ },
  {
    screen: 'info',
    state: 'with hosts outside',
    path: `${edge}/b/eg-silent?tab=info`,
    before: (page) => page.getByText(/^Reached: git, model, web_search by its endpoint \(3×\), 2 of 5/).click(),
    shows: 'telemetry.a-tool-with-a-very-long-name.example.net:443',
  },
  { screen: 'info', state: 'of a viewer', path: `${p}/b/wc-9fe?tab=info`, mood: 'viewer', shows: 'People' },
  { screen: 'info', state: 'huge', path: `${edge}/b/eg-big?tab=info`, shows: /Every file of the repository/ },

  {
    screen: 'info',
    state: 'edited',
    path: `${p}/b/wc-e01?tab=info`,
    noise: /status of 409/,
    before: async (page) => {
      await page.getByRole('button', { name: 'Change the title' }).click()
      await page.getByRole('textbox', { name: 'Title' }).fill('Refused')
      await page.keyboard.press('Enter')
      await page.getByText(/was changed by somebody else/).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Change the description' }).click()
    },
    shows: (page) => page.getByRole('textbox', { name: 'Description' }),
  },
  {
    screen: 'output',
    state: 'conversation',
    path: `${p}/b/wc-1a4?tab=output&line=4`,
    shows: (page) => page.getByText('There is one place that sends:').first(),
  },
  { screen: 'output', state: 'full', path: `${p}/b/wc-9fe?tab=output`, shows: log },
  { screen: 'output', state: 'queued', path: `${p}/b/wc-b02?tab=output`, shows: /in the queue$/ },
  {
    screen: 'output',
    state: 'never run',
    is: 'empty',
    path: `${p}/b/wc-e03?tab=output`,
    shows: /^This bead has not run/,
  },
  { screen: 'output', state: 'being prepared', path: `${edge}/b/eg-start?tab=output`, shows: /^Preparing/ },
  {
    screen: 'output',
    state: 'none yet',
    path: `${edge}/b/eg-quiet?tab=output`,
    shows: /^Running for .* no output yet/,
  },
  {
    screen: 'output',
    state: 'ended without any',
    path: `${edge}/b/eg-mute?tab=output`,
    shows: /ended without output/,
  },
  {
    screen: 'output',
    state: 'gone',
    path: `${edge}/b/eg-gone?tab=output`,
    shows: /is not kept any more|could not be loaded/,
    noise: /status of 404/,
  },
  { screen: 'output', state: 'loading', path: `${edge}/b/eg-slow?tab=output`, shows: /^Loading the log/ },
  {
    screen: 'output',
    state: 'error',
    path: `${p}/b/wc-f02?tab=output`,
    ...fails(/\/log\//),
    shows: /could not be loaded/,
  },
  {
    screen: 'output',
    state: 'filtered to none',
    path: `${p}/b/wc-d21?tab=output`,
    before: async (page) => {
      await page.locator('[data-line]').first().waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('zebra')
      const onPhone = page.getByRole('button', { name: 'Log tools' })
      if (await onPhone.isVisible()) await onPhone.click()
      const only = { name: 'Only matching lines' }
      await page.getByRole('button', only).or(page.getByRole('menuitem', only)).click()
    },
    shows: 'No lines match.',
  },
  {
    screen: 'output',
    state: 'silent for long',
    path: `${edge}/b/eg-silent?tab=output`,
    shows: /^… no output for \d+ min.*; the process is still running/,
  },
  {
    screen: 'output',
    state: 'with times',
    path: `${p}/b/wc-f02?tab=output&line=126`,
    before: async (page) => {
      await page.getByText('24 more lines').waitFor()
      await page.keyboard.press('T')
    },
    shows: (page) => page.getByRole('link', { name: /^126 \d\d:\d\d:\d\d/ }),
  },
  { screen: 'output', state: 'huge', path: `${p}/b/wc-f02?tab=output`, shows: /■ ended/ },

  { screen: 'diff', state: 'full', path: `${p}/b/wc-f02?tab=diff`, shows: files },
  { screen: 'diff', state: 'no branch', is: 'empty', path: `${p}/b/wc-e02?tab=diff`, shows: 'No branch yet' },
  { screen: 'diff', state: 'no change', path: `${edge}/b/eg-same?tab=diff`, shows: 'No changes on the branch' },
  {
    screen: 'diff',
    state: 'loading',
    path: `${p}/b/wc-f02?tab=diff`,
    ...waits(/\/diff(\?|$)/),
    shows: /^Loading the diff/,
  },
  {
    screen: 'diff',
    state: 'error',
    path: `${p}/b/wc-f02?tab=diff`,
    ...fails(/\/diff(\?|$)/),
    shows: 'The diff could not be loaded',
  },
  {
    screen: 'diff',
    state: 'a file that fails',
    path: `${p}/b/wc-f02?tab=diff`,
    ...fails(/\/diff\?.*path=src%2Fdate\.test\.ts/),
    shows: (page) => page.locator('[data-diff-surface]').getByText(/Internal error/),
  },
  {
    screen: 'diff',
    state: 'filtered to none',
    path: `${p}/b/wc-f02?tab=diff`,
    before: async (page) => {
      await files(page).first().waitFor()
      await page.keyboard.press('/')
      await page.getByRole('navigation', { name: 'Changed files' }).waitFor()
      await page.keyboard.type('zebra')
    },
    shows: /^No files match/,
  },
  {
    screen: 'diff',
    state: 'one commit',
    path: `${p}/b/wc-f02?tab=diff&commit=1e0f300`,
    shows: (page) => page.getByText(/^2 files/),
  },
  { screen: 'diff', state: 'conflict', path: `${edge}/b/eg-clash?tab=diff`, shows: /^Conflicts with beadloom/ },
  {
    screen: 'diff',
    state: 'git says no',
    path: `${edge}/b/eg-git?tab=diff`,
    noise: /status of 502/,
    shows: /is corrupt/,
  },
  { screen: 'diff', state: 'huge', path: `${edge}/b/eg-big?tab=diff`, shows: /files open one at a time/ },

  {
    screen: 'diff',
    state: 'why a line is there',
    path: `${p}/b/wc-f01?tab=diff&file=src/date.test.ts&at=3`,
    shows: /^The change has 2 new tests, both fail without the change/,
  },
  { screen: 'attempts', state: 'one by one', path: `${p}/b/wc-d20?tab=attempts&attempt=2`, shows: /^Attempt 2 of 3/ },
  { screen: 'attempts', state: 'three failed', path: `${p}/b/wc-d20?tab=attempts`, shows: 'Attempt 3' },
  {
    screen: 'attempts',
    state: 'two compared',
    path: `${p}/b/wc-d20?tab=attempts`,
    before: (page) => page.getByRole('button', { name: 'Compare' }).first().click(),
    shows: (page) => page.getByRole('dialog', { name: /^Compare attempt/ }),
  },
  { screen: 'attempts', state: 'flaky', path: `${p}/b/wc-f01?tab=attempts`, shows: /same commit/ },
  { screen: 'attempts', state: 'with an opinion', path: `${p}/b/wc-f01?tab=attempts`, shows: /opinion of/ },
  {
    screen: 'attempts',
    state: 'none',
    is: 'empty',
    path: `${p}/b/wc-e02?tab=attempts`,
    shows: 'This bead has not run yet',
  },
  { screen: 'attempts', state: 'huge', path: `${edge}/b/eg-big?tab=attempts`, shows: 'Attempt 3' },
]
