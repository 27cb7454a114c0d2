import { isOwn, type BudgetScope, type BudgetUnit } from './scopes.ts'
import { isNear, isReached, type BudgetState } from './budget-states.ts'

/** A person's extra amount: tokens, or millionths of the currency. */
export type Grant = Partial<Record<BudgetUnit, number>>

/** The amount by which a limit rises, in its unit. */
export type Raise = { scope: BudgetScope; unit: BudgetUnit; amount: number }

/**
 * The limits that a grant for one execution raises: those that it has reached, else its own limits that are near. Calls
 * in flight can exceed a limit, so it rises from the present use: the whole grant can be spent.
 *
 * @param warnAt percent at which a limit is near
 */
export function raisesOf(
  states: readonly BudgetState[],
  grant: Grant,
  warnAt: number,
): (Raise & { state: BudgetState })[] | { refused: string } {
  const reached = states.filter(isReached)
  const raised = reached.length > 0 ? reached : states.filter((state) => isOwn(state.scope) && isNear(state, warnAt))
  if (raised.length === 0)
    return { refused: `none of its limits is reached, or more than ${warnAt} % used: there is nothing to raise yet` }
  const missing = reached.find(({ unit }) => grant[unit] === undefined)
  if (missing)
    return {
      refused: `it waits at a limit of ${missing.unit}: ${missing.unit === 'tokens' ? 'grant tokens (--tokens N)' : 'grant money (--money X)'}`,
    }
  const raises = raised.flatMap((state) => {
    const { scope, unit, limit, used } = state
    const more = grant[unit]
    return more === undefined ? [] : [{ scope, unit, amount: more + Math.max(0, used - limit), state }]
  })
  return raises.length > 0
    ? raises
    : { refused: `only limits of ${raised[0]!.unit} are near: grant ${raised[0]!.unit}` }
}
