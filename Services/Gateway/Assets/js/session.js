// Whether somebody is signed in on this page, and who.

export const signedIn = "signedIn" in document.documentElement.dataset;
/** Their id; empty where nobody is. */
export const me = document.documentElement.dataset.signedIn ?? "";
