/* The form of every answer of the HTTP API: lists are `{"items":[…],"next"?}`, errors `{"error":{"code","message","details?"}}`. */

export type ApiError = { error: { code: string; message: string; details?: unknown } }
export type Page<T> = { items: T[]; next?: string }
