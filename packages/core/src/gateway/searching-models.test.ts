import { expect, test } from 'vitest'
import { closedToolOf, toolsOfModel } from './searching-models.ts'

test.each([
  'gpt-5-search-api',
  'gpt-5-search-api-2025-10-14',
  'gpt-4o-search-preview',
  'openai/gpt-4o-mini-search-preview:free',
  'perplexity/sonar',
  'sonar-reasoning-pro',
  'sonar:nitro',
  'o3-deep-research-2025-06-26',
  'alibaba/tongyi-deepresearch-30b-a3b',
  'jina-deepsearch-v1',
  'llama-3.1-sonar-large-128k-online',
  'maker/model:ONLINE',
  'maker/model:free:online',
])('%s searches the web by itself', (name) => {
  expect(toolsOfModel(name)).toEqual(['web_search'])
  expect([closedToolOf(name, []), closedToolOf(name, ['web_search'])]).toEqual(['web_search', null])
})

test.each(['groq/compound', 'compound-beta', 'compound-beta-mini', 'Groq/Compound-Mini'])(
  '%s also runs code',
  (name) => {
    expect(toolsOfModel(name)).toEqual(['web_search', 'code_execution'])
    expect(closedToolOf(name, ['web_search'])).toBe('code_execution')
  },
)

test.each([
  'gpt-5.5',
  'claude-opus-5-5[1m]',
  'eu.anthropic.claude-v1:0',
  'maker/model:free',
  'composer-2',
  'nonlinear-1',
  'research-1',
  'exaone-4',
  'my-onlineshop-model',
  'sonarqube-1',
  '',
])('%j runs nothing by itself', (name) => expect(toolsOfModel(name)).toEqual([]))
