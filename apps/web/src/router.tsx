import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { StartPage } from './pages/setup/start-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { Shell } from './pages/shell/shell.tsx'
import { parseBoardSearch } from '@beadloom/core/board/board-search.ts'
import { parseBeadSearch } from './pages/bead/bead-search.ts'
import { parseBudgetSearch } from './pages/budget/budget-search.ts'
import { parseActivitySearch } from './pages/activity/activity-search.ts'
import { parseGraphSearch } from './pages/graph/graph-search.ts'
import { parseReviewSearch } from './components/review/review-search.ts'

const setupPage = lazyRouteComponent(() => import('./pages/setup/setup-page.tsx'), 'SetupPage')
const boardPage = lazyRouteComponent(() => import('./pages/board/board-page.tsx'), 'BoardPage')
const beadPage = lazyRouteComponent(() => import('./pages/bead/bead-page.tsx'), 'BeadPage')
const reviewsPage = lazyRouteComponent(() => import('./pages/review/reviews-page.tsx'), 'ReviewsPage')
const reviewPage = lazyRouteComponent(() => import('./pages/review/review-page.tsx'), 'ReviewPage')
const activityPage = lazyRouteComponent(() => import('./pages/activity/activity-page.tsx'), 'ActivityPage')
const graphPage = lazyRouteComponent(() => import('./pages/graph/graph-page.tsx'), 'GraphPage')
const budgetPage = lazyRouteComponent(() => import('./pages/budget/budget-page.tsx'), 'BudgetPage')
const settingsPage = lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage')
const syncPage = lazyRouteComponent(() => import('./pages/settings/sync-page.tsx'), 'SyncPage')
const systemPage = lazyRouteComponent(() => import('./pages/system/system-page.tsx'), 'SystemPage')

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage })
const startRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: StartPage })
const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  component: setupPage,
})

const boardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$project',
  component: boardPage,
  validateSearch: parseBoardSearch,
})

const beadRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$project/b/$bead',
  component: beadPage,
  validateSearch: parseBeadSearch,
})

const reviewsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$project/reviews',
  component: reviewsPage,
})
const reviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$project/reviews/$review',
  component: reviewPage,
  validateSearch: parseReviewSearch,
})

const budgetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$project/budget',
  component: budgetPage,
  validateSearch: parseBudgetSearch,
})

const activityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$project/activity',
  component: activityPage,
  validateSearch: parseActivitySearch,
})
const graphRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$project/graph',
  component: graphPage,
  validateSearch: parseGraphSearch,
})

const settingsOf = ['project', 'server', 'browser'] as const
const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$project/settings',
  component: settingsPage,
  validateSearch: (search: Record<string, unknown>): { of?: (typeof settingsOf)[number] | undefined } => ({
    of: settingsOf.find((one) => one === search['of']),
  }),
})
const syncRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$project/sync',
  component: syncPage,
})

const systemRoute = createRoute({ getParentRoute: () => rootRoute, path: '/system', component: systemPage })
/** The same, with the link back to the project in the bar. */
const projectSystemRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$project/system',
  component: systemPage,
})

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    startRoute,
    setupRoute,
    boardRoute,
    beadRoute,
    reviewsRoute,
    reviewRoute,
    activityRoute,
    graphRoute,
    budgetRoute,
    settingsRoute,
    syncRoute,
    systemRoute,
    projectSystemRoute,
  ]),
  defaultPreload: 'intent',
})

const pages = [
  boardPage,
  beadPage,
  reviewsPage,
  reviewPage,
  activityPage,
  graphPage,
  budgetPage,
  settingsPage,
  syncPage,
  systemPage,
  setupPage,
]

/**
 * Loads every page ahead, in case the connection is lost later. If a page cannot be fetched, the router reloads the
 * address, and the browser's own error page replaces the screen. If loading fails here, the page is fetched when it is
 * opened.
 */
export async function loadPagesAhead(): Promise<void> {
  for (const page of pages) if (navigator.onLine) await page.preload?.()
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
