import type { Page } from 'playwright-core'
import type { FixtureWorld } from '../../../apps/web/dev/fixture-world.ts'
import { broken, dialog, edge, fails, p, waits, type Story } from './story.ts'

const reviewOf =
  (bead: string | null, search = '') =>
  (world: FixtureWorld): string =>
    `${p}/reviews/${world.project('wordcraft')?.reviews.find((one) => one.bead === bead)?.id}${search}`
const skeleton = (page: Page) => page.getByLabel('Loading review')

export const reviewStories: Story[] = [
  { screen: 'reviews', state: 'full', path: `${p}/reviews`, shows: 'wc-f01' },
  { screen: 'reviews', state: 'empty', path: '/p/blank/reviews', shows: 'No reviews yet' },
  { screen: 'reviews', state: 'loading', path: `${p}/reviews`, ...waits(/\/reviews\?/), shows: /^Loading reviews/ },
  { screen: 'reviews', state: 'error', path: `${p}/reviews`, ...broken, shows: 'The reviews could not be loaded' },
  { screen: 'reviews', state: 'huge', path: `${edge}/reviews`, shows: 'eg-big' },

  { screen: 'review tab', state: 'full', path: `${p}/b/wc-f01?tab=review`, shows: /An invalid date is returned/ },
  {
    screen: 'review tab',
    state: 'an issue beside the diff',
    path: `${p}/b/wc-f01?tab=review&issue=2&show=diff`,
    shows: /Safari/,
  },
  { screen: 'review tab', state: 'ready', path: `${p}/b/wc-f02?tab=review`, shows: 'Ready for a pull request' },
  { screen: 'review tab', state: 'unusable answer', path: `${p}/b/wc-c11?tab=review`, shows: /no usable answer/ },
  { screen: 'review tab', state: 'failed', path: `${p}/b/wc-77x?tab=review`, shows: /used up its memory/ },
  { screen: 'review tab', state: 'running', path: `${p}/b/wc-d21?tab=review`, shows: /reading src\/date/ },
  { screen: 'review tab', state: 'queued', path: `${p}/b/wc-d20?tab=review`, shows: /3 of 3 slots/ },
  {
    screen: 'review tab',
    state: 'none',
    is: 'empty',
    path: `${p}/b/wc-e03?tab=review`,
    shows: /has not been reviewed$/,
  },
  {
    screen: 'review tab',
    state: 'loading',
    path: `${p}/b/wc-f01?tab=review`,
    ...waits(/\/reviews/),
    shows: /^Loading review/,
  },
  {
    screen: 'review tab',
    state: 'error',
    path: `${p}/b/wc-f01?tab=review`,
    ...fails(/\/reviews/),
    shows: 'The reviews could not be loaded',
  },
  { screen: 'review tab', state: 'huge', path: `${edge}/b/eg-big?tab=review`, shows: /Line 1 reads/ },

  { screen: 'review', state: 'full', path: reviewOf(null), shows: 'An invalid date is returned as if it were one' },
  { screen: 'review', state: 'no issues', is: 'empty', path: reviewOf('wc-f02'), shows: 'No issues' },
  { screen: 'review', state: 'loading', path: reviewOf(null), ...waits(/\/reviews\//), shows: skeleton },
  {
    screen: 'review',
    state: 'error',
    path: reviewOf(null),
    ...fails(/\/api\/reviews\//),
    shows: 'The review could not be loaded',
  },
  {
    screen: 'review',
    state: 'none',
    path: `${p}/reviews/ex-none`,
    shows: 'The review could not be loaded',
    noise: /status of 404/,
  },
  {
    screen: 'review',
    state: 'dismissing',
    path: reviewOf(null, '?issue=1'),
    before: async (page) => {
      await page.getByRole('article').first().waitFor()
      await page.keyboard.press('d')
    },
    shows: dialog,
  },
]
