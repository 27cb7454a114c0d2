import { broken, edge, p, waits, type Story } from './story.ts'

const answer = /\/budget\?/

export const budgetStories: Story[] = [
  { screen: 'budget', state: 'by bead', path: `${p}/budget`, shows: 'wc-1a4' },
  { screen: 'budget', state: 'by model', path: `${p}/budget?by=model&days=30`, shows: 'qwen3-coder-local' },
  { screen: 'budget', state: 'by agent', path: `${p}/budget?by=agent`, shows: /docs-agent/ },
  { screen: 'budget', state: 'by day', path: `${p}/budget?by=day&days=90`, shows: 'Used in 90 days' },
  { screen: 'budget', state: 'empty', path: '/p/blank/budget', shows: 'No tokens used yet' },
  { screen: 'budget', state: 'loading', path: `${p}/budget`, ...waits(answer), shows: /^Loading budget/ },
  { screen: 'budget', state: 'error', path: `${p}/budget`, ...broken, shows: 'The budget could not be loaded' },
  { screen: 'budget', state: 'huge', path: `${edge}/budget?days=30`, shows: '40 more' },
  { screen: 'budget', state: 'hostile names', path: `${edge}/budget?by=model`, shows: /‹U\+202E›gnp\.exe/ },
]
