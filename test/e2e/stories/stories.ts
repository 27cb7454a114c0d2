import { activityStories } from './activity-stories.ts'
import { beadStories } from './bead-stories.ts'
import { boardStories } from './board-stories.ts'
import { budgetStories } from './budget-stories.ts'
import { connectionStories } from './connection-stories.ts'
import { graphStories } from './graph-stories.ts'
import { layerStories } from './layer-stories.ts'
import { placeStories } from './place-stories.ts'
import { planStories } from './plan-stories.ts'
import { reviewStories } from './review-stories.ts'
import type { Condition, Story } from './story.ts'

/** Every state of every screen. */
export const stories: readonly Story[] = [
  ...boardStories,
  ...layerStories,
  ...beadStories,
  ...planStories,
  ...reviewStories,
  ...budgetStories,
  ...activityStories,
  ...graphStories,
  ...placeStories,
  ...connectionStories,
]

export const nameOf = ({ screen, state }: Story): string => `${screen}, ${state}`.replace(/ /g, '-').replace(',', '')

/** A story's condition, or else the name of its state. */
export const conditionOf = ({ is, state }: Story): Condition | string => is ?? state
