import type { RefObject } from 'react'
import type { Lines } from './lines/line-selection.ts'
import type { LogView } from './view/log-view.ts'
import type { LogFind } from './find/use-log-find.ts'
import { useKeys } from '../../ui/keys/keys.ts'

export type LogKeyActions = {
  find: LogFind
  input: RefObject<HTMLInputElement | null>
  selected: Lines | null
  stepError(by: 1 | -1): void
  toggleWrap(): void
  toggleTimes(): void
  askLine(): void
  openLine(): void
  copy(): void
  download(): void
}

/** Every key of the log, in the one table that installs them and that the key sheet shows. */
export function useLogKeys(view: RefObject<LogView | null>, actions: LogKeyActions): void {
  const { find, input, selected } = actions
  const fold = () => view.current?.folding.toggle(view.current.lineInHand)
  const goToFind = () => input.current?.select()
  const arrow = (by: 1 | -1) => (event: KeyboardEvent) =>
    event.shiftKey ? view.current?.extend(by) : view.current?.moves.lines(by)
  const clears = selected !== null || find.query.text !== ''
  useKeys('Output', [
    { keys: ['/', 'Mod+f'], does: 'Find in the log; press again for the browser’s search', run: goToFind },
    { keys: ['n'], does: 'Next match', run: () => find.step(1) },
    { keys: ['N'], does: 'Previous match', run: () => find.step(-1) },
    { keys: ['f'], does: 'Show only matching lines, or all', run: () => find.setFiltering(!find.filtering) },
    { keys: ['e'], does: 'Next error', run: () => actions.stepError(1) },
    { keys: ['E'], does: 'Previous error', run: () => actions.stepError(-1) },
    { keys: ['}'], does: 'Next section', run: () => view.current?.folding.stepSection(1) },
    { keys: ['{'], does: 'Previous section', run: () => view.current?.folding.stepSection(-1) },
    { keys: ['z'], does: 'Fold or unfold the section or stack trace', run: fold },
    {
      keys: ['Z'],
      does: 'Fold or unfold all sections and stack traces',
      run: () => view.current?.folding.toggleAll(),
    },
    { keys: ['j', 'ArrowDown'], does: 'Line down; with Shift and arrow: select it, too', run: arrow(1) },
    { keys: ['k', 'ArrowUp'], does: 'Line up; with Shift and arrow: select it, too', run: arrow(-1) },
    { keys: ['d'], does: 'Half a page down', run: () => view.current?.moves.pages(0.5) },
    { keys: ['u'], does: 'Half a page up', run: () => view.current?.moves.pages(-0.5) },
    {
      keys: [' ', 'PageDown'],
      does: 'Page down; with Shift: up',
      run: (event) => view.current?.moves.pages(event.shiftKey ? -1 : 1),
    },
    { keys: ['PageUp'], does: 'Page up', run: () => view.current?.moves.pages(-1) },
    { keys: ['g g', 'Home'], does: 'Start of the log', run: () => view.current?.moves.toStart() },
    { keys: ['G', 'End'], does: 'End of the log, and follow it', run: () => view.current?.moves.toEnd() },
    { keys: [':'], does: 'Go to a line number', run: actions.askLine },
    { keys: ['V'], does: 'Select this line, then more with Shift and arrows', run: () => view.current?.extend(0) },
    // Without selected lines the key is free, so that `y l` works on the page.
    ...(selected === null ? [] : [{ keys: ['y'], does: 'Copy the selected lines', run: actions.copy }]),
    { keys: ['Enter'], does: 'Show the whole selected line (JSON as a tree)', run: actions.openLine },
    { keys: ['w'], does: 'Wrap long lines, or not', run: actions.toggleWrap },
    { keys: ['T'], does: 'Show or hide timestamps', run: actions.toggleTimes },
    { keys: ['D'], does: 'Download', run: actions.download },
    ...(clears
      ? [
          {
            keys: ['Escape'],
            does: 'Clear the selection or the search',
            run: () => (selected === null ? find.change({ text: '' }) : view.current?.choice.clear()),
          },
        ]
      : []),
  ])
}
