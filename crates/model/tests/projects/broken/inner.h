struct open { int a;
