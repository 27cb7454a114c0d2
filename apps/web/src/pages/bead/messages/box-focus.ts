/** The execution whose box takes the focus once it is drawn. */
let awaited: string | null = null

export const boxId = (execution: string): string => `say-${execution}`

/** Puts the focus into the message box of an execution; if it is not drawn yet, as soon as it is. */
export function focusBox(execution: string): void {
  const box = document.getElementById(boxId(execution))
  awaited = box === null ? execution : null
  box?.focus()
}

/** Whether the box that has just been drawn is to take the focus. */
export function takesFocus(execution: string): boolean {
  const takes = awaited === execution
  if (takes) awaited = null
  return takes
}
