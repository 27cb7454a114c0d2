import { durationText } from '../text/duration.ts'

/** A person's changes to a running execution, instead of its settings; a field that is left out is as they say. */
export type Course = {
  /** The model of its agents' calls from now on. */
  model?: string
  /** Its time limit in all, milliseconds. */
  executionTimeoutMs?: number
}

/** "the model gpt-5.2", "a time limit of 3 h", or both. */
export const courseText = ({ model, executionTimeoutMs }: Course): string =>
  [
    ...(model === undefined ? [] : [`the model ${model}`]),
    ...(executionTimeoutMs === undefined ? [] : [`a time limit of ${durationText(executionTimeoutMs)}`]),
  ].join(' and ')
