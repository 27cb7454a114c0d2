import type { Condition } from './story.ts'

/*
 * Which conditions each screen can be in. What is missing here cannot be: a project's page has no first run (set-up is
 * that), the keys of a page need no server, the tabs of a bead load and fail with the bead unless they ask for more
 * themselves, and a form has nothing to be filtered.
 */
const gone = ['stale', 'offline'] as const
export const conditionsOf: Readonly<Record<string, readonly Condition[]>> = {
  board: ['empty', 'filtered to none', 'loading', 'error', 'huge', ...gone],
  list: ['empty', 'filtered to none', 'loading', 'error', 'huge', ...gone],
  peek: [],
  bead: ['empty', 'loading', 'error', 'huge', ...gone],
  info: ['huge', ...gone],
  output: ['empty', 'filtered to none', 'loading', 'error', 'huge', ...gone],
  diff: ['empty', 'filtered to none', 'loading', 'error', 'huge', ...gone],
  plan: ['empty', 'loading', 'error', 'huge', ...gone],
  'edit plan': ['huge'],
  attempts: ['empty', 'huge', ...gone],
  'review tab': ['empty', 'loading', 'error', 'huge', ...gone],
  reviews: ['empty', 'loading', 'error', 'huge', ...gone],
  review: ['empty', 'loading', 'error', ...gone],
  budget: ['empty', 'loading', 'error', 'huge', ...gone],
  activity: ['empty', 'loading', 'error', 'huge', ...gone],
  graph: ['empty', 'loading', 'error', 'huge', ...gone],
  settings: ['loading', 'error', ...gone],
  sync: ['empty', 'loading', 'error', ...gone],
  setup: ['first run', 'loading', 'error', ...gone],
  system: ['first run', 'loading', 'error', ...gone],
  palette: ['first run', 'filtered to none', 'huge'],
  inbox: ['empty', 'huge', ...gone],
  keys: [],
  'new bead': ['empty'],
  run: [],
  stop: [],
  'sign-in': [],
  'new version': [],
  'not found': [],
}
