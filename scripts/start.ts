import './instance.ts';
