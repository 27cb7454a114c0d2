import type { Page } from 'playwright-core'
import { broken, edge, p, waits, type Story } from './story.ts'

const answer = /\/dependencies$/
/** The head of the picture, which a phone does not have; its list begins with the same. */
const firstOfMany = (page: Page) =>
  page
    .getByText(/^100 of \d/)
    .or(page.getByRole('heading', { name: /block the most/i }))
    .filter({ visible: true })
    .first()

export const graphStories: Story[] = [
  { screen: 'graph', state: 'all open beads', path: `${p}/graph`, shows: 'Block the most' },
  { screen: 'graph', state: 'around a bead', path: `${p}/graph?bead=wc-9fe&chain=true`, shows: 'Indirectly' },
  { screen: 'graph', state: 'of a bead that is not there', path: `${p}/graph?bead=nobody`, shows: /no bead “nobody”/ },
  { screen: 'graph', state: 'empty', path: '/p/blank/graph', shows: 'No beads yet' },
  { screen: 'graph', state: 'loading', path: `${p}/graph`, ...waits(answer), shows: /^Loading dependencies/ },
  { screen: 'graph', state: 'error', path: `${p}/graph`, ...broken, shows: 'The dependencies could not be loaded' },
  { screen: 'graph', state: 'huge', path: `${edge}/graph`, shows: /1 cycle: these/ },
  { screen: 'graph', state: 'of thousands', path: '/p/big-tracker/graph?chain=true', shows: firstOfMany },
  { screen: 'graph', state: 'stale', path: `${p}/graph`, later: 'silent', shows: 'Block the most' },
  {
    screen: 'graph',
    state: 'offline',
    path: `${p}/graph`,
    later: 'away',
    shows: 'Block the most',
    noise: /EMPTY_RESPONSE/,
  },
]
