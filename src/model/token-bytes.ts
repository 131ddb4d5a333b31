// How long a token is where texts are kept by theirs: 128 signs (embed/token-signs.ts makes them, the store keeps them, recall compares them).

export const TOKEN_BYTES = 16;
