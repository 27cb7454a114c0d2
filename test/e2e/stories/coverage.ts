import type { Condition } from './story.ts'

/*
 * The possible conditions of each screen. Others are impossible: a project's page has no first run (set-up covers
 * that), a page's keys need no server, a bead's tabs load and fail with the bead unless they make requests of their
 * own, and a form has nothing to filter.
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
