import { broken, edge, p, waits, type Story } from './story.ts'

const answer = /\/activity\?/

export const activityStories: Story[] = [
  { screen: 'activity', state: 'of a day', path: `${p}/activity`, shows: 'Needs you' },
  { screen: 'activity', state: 'of a week', path: `${p}/activity?days=7`, shows: 'Needs you' },
  { screen: 'activity', state: 'empty', path: '/p/blank/activity', shows: /^Nothing ran in the last 24 hours/ },
  { screen: 'activity', state: 'loading', path: `${p}/activity`, ...waits(answer), shows: /^Loading activity/ },
  { screen: 'activity', state: 'error', path: `${p}/activity`, ...broken, shows: 'The activity could not be loaded' },
  { screen: 'activity', state: 'huge', path: `${edge}/activity?days=30`, shows: /more/ },
  { screen: 'activity', state: 'stale', path: `${p}/activity`, later: 'silent', shows: 'Needs you' },
  {
    screen: 'activity',
    state: 'offline',
    path: `${p}/activity`,
    later: 'away',
    shows: 'Needs you',
    noise: /EMPTY_RESPONSE/,
  },
]
