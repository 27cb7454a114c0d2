import type { SettingField } from '@beadloom/core/api/settings/settings-api.ts'
import { describe, expect, test } from 'vitest'
import { changesOf, durationHint, parseSetting, shownText, valueText, withoutSaved } from './settings-draft.ts'

const common = {
  section: 'limits',
  help: '',
  source: 'file',
  where: 'beadloom.json on main',
  editable: true,
  here: null,
  otherwise: null,
  applies: 'to new executions',
} as const
const steps: SettingField = {
  ...common,
  key: 'limits.maxSteps',
  label: 'Steps',
  kind: 'number',
  least: 1,
  most: 1000,
  unit: '',
  value: 20,
}
const timeout: SettingField = {
  ...steps,
  key: 'limits.executionTimeoutSeconds',
  unit: 's',
  most: 604_800,
  value: 21_600,
}
const model: SettingField = { ...common, key: 'model', label: 'Model', kind: 'text', longest: 10, value: 'gpt' }
const retryOn: SettingField = { ...common, key: 'retry.retryOn', label: 'Only', kind: 'list', value: [] }
const network: SettingField = {
  ...common,
  key: 'network',
  label: 'Network',
  kind: 'choice',
  choices: ['none', 'bridge'],
  value: 'none',
}

describe('a field', () => {
  test('shows the typed value, then the chosen one, then the effective one', () => {
    expect(shownText(steps, {})).toBe('20')
    expect(shownText({ ...steps, value: 50, here: 50 }, {})).toBe('50')
    expect(shownText(steps, { 'limits.maxSteps': '7x' })).toBe('7x')
  })

  test.each([
    [steps, '0', 'at least 1'],
    [steps, '1001', 'at most 1000'],
    [steps, '1.5', 'a whole number'],
    [steps, 'many', 'a number'],
    [network, 'host', 'one of none, bridge'],
    [model, 'a model with a long name', 'at most 10 characters'],
  ])('%# says what would be right', (field, text, problem) => {
    expect(parseSetting(field, text)).toEqual({ problem })
  })

  test('takes numbers as people write them, and lists line by line', () => {
    expect(parseSetting(timeout, '21 600')).toEqual({ value: 21_600 })
    expect(parseSetting(retryOn, ' docker \n\n timeout ')).toEqual({ value: ['docker', 'timeout'] })
  })

  test('says how long many seconds are', () => {
    expect(durationHint(timeout, '21600')).toBe('= 6 h')
    expect(durationHint(timeout, '90061')).toBe('= 1 d 1 h 1 min 1 s')
    expect(durationHint(timeout, '30')).toBeNull()
    expect(valueText(timeout, 21_600)).toBe('21600 s')
  })
})

describe('the changes', () => {
  test('are the differences, and nothing for a field with the effective value', () => {
    expect(changesOf([steps, model], { 'limits.maxSteps': '20', model: 'other' })).toEqual({
      changes: { model: 'other' },
      problems: {},
    })
  })

  test('are a choice taken back if a field with one is emptied', () => {
    const chosen: SettingField = { ...model, value: 'mine', here: 'mine' }
    expect(changesOf([chosen], { model: '' }).changes).toEqual({ model: null })
    expect(changesOf([model], { model: '' }).changes).toEqual({})
  })

  test('leave out fields that cannot be changed', () => {
    expect(changesOf([{ ...model, editable: false }], { model: 'x' })).toEqual({ changes: {}, problems: {} })
  })

  test('name every wrong field', () => {
    expect(changesOf([steps, network], { 'limits.maxSteps': '0', network: 'host' }).problems).toEqual({
      'limits.maxSteps': 'at least 1',
      network: 'one of none, bridge',
    })
  })
})

test('what is typed while the server saves stays typed, in other fields and in the saved one', () => {
  const sent = { model: 'other', network: 'bridge' }
  expect(withoutSaved(sent, sent, ['model'])).toEqual({ network: 'bridge' })
  expect(withoutSaved({ ...sent, 'limits.maxSteps': '30' }, sent, ['model', 'network'])).toEqual({
    'limits.maxSteps': '30',
  })
  expect(withoutSaved({ ...sent, model: 'others' }, sent, ['model', 'network'])).toEqual({ model: 'others' })
})
