// Keys.

/** Whether an input method takes the key, to choose characters by it. WebKit says by the number alone that this Enter was the one that ended it. */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;
